# A checkpoint of model and optimizer, read on the CPU, continues on the GPU.
# runs
import torch

net = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.Adam(net.parameters())
x = torch.randn(2, 4, device="cuda")
net(x).sum().backward()
optimizer.step()
torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")

checkpoint = torch.load("last.pt", map_location="cpu")
net = torch.nn.Linear(4, 1)
net.load_state_dict(checkpoint["model"])
net.cuda()
optimizer = torch.optim.Adam(net.parameters())
optimizer.load_state_dict(checkpoint["optimizer"])
state = optimizer.state[net.weight]
assert state["exp_avg"].is_cuda
net(x).sum().backward()
optimizer.step()
