# A batch of 5 on two GPUs; gradients are those of one device.
# runs
import copy

import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
single = copy.deepcopy(net)
wrapped = torch.nn.DataParallel(net.cuda(), device_ids=[0, 1])
x = torch.randn(5, 4)
output = wrapped(x.cuda())
assert output.get_device() == 0 and output.shape == (5, 2)
output.square().sum().backward()
single(x).square().sum().backward()
for a, b in zip(net.parameters(), single.parameters()):
    assert torch.allclose(a.grad.cpu(), b.grad, atol=1e-4)
