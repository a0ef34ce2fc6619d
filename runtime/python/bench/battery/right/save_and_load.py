# A state dict is saved on one GPU and loaded on the other, and on the CPU.
# runs
import io

import torch

net = torch.nn.Linear(4, 2).to("cuda:1")
torch.save(net.state_dict(), "net.pt")
assert torch.load("net.pt")["weight"].device == torch.device("cuda:1")
assert torch.load("net.pt", map_location="cpu")["weight"].device.type == "cpu"
assert torch.load("net.pt", map_location={"cuda:1": "cuda:0"})["weight"].device.index == 0
moved = torch.load("net.pt", map_location=lambda storage, place: storage.cuda(0))
assert torch.equal(moved["weight"].cpu(), net.weight.detach().cpu())
file = io.BytesIO()
torch.save(torch.ones(3, device="cuda"), file)
file.seek(0)
assert torch.load(file, map_location=torch.device("cuda", 1)).get_device() == 1
