# A device by string, by object, by number; from one GPU to another.
# runs
import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
x = torch.ones(2).to(device)
assert x.device == torch.device("cuda", 0)
assert torch.ones(2).cuda(3).get_device() == 3
moved = x.to(torch.device("cuda:1"))
assert moved.get_device() == 1 and x.get_device() == 0
assert torch.ones(2, device=torch.device(type="cuda", index=2)).get_device() == 2
