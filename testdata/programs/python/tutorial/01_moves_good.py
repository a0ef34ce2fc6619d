# Tensors are moved by rebinding, modules in place; .to() also changes the element type.
# runs
import torch

device = torch.device("cuda:0")
x = torch.randn(2, 4)
on_gpu = x.to(device)
assert on_gpu is not x and x.device.type == "cpu" and on_gpu.device == device
net = torch.nn.Linear(4, 3)
assert net.to(device) is net and net.weight.device == device
assert net(on_gpu).device == device
net.to(torch.float64)
assert net(on_gpu.to(torch.float64)).dtype == torch.float64
