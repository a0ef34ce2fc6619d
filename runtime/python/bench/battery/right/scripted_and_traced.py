# TorchScript modules move and run like others.
# runs
import torch


@torch.jit.script
def combine(x, y):
    if bool(x.sum() > 0):
        return x + y
    return x - y


assert combine(torch.ones(2, device="cuda"), torch.ones(2, device="cuda")).sum().item() == 4
traced = torch.jit.trace(torch.nn.Linear(4, 2).cuda(), torch.randn(3, 4).cuda())
traced.save("traced.pt")
loaded = torch.jit.load("traced.pt", map_location="cuda:1")
assert loaded(torch.randn(1, 4, device="cuda:1")).get_device() == 1
