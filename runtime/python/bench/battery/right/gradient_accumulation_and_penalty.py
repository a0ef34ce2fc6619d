# Accumulated gradients, and a penalty that differentiates twice.
# runs
import torch

net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)).cuda()
for _ in range(2):
    x = torch.randn(4, 3, device="cuda", requires_grad=True)
    gradient, = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    ((gradient.norm(2, dim=1) - 1).square().mean() / 2).backward()
assert net[0].weight.grad.abs().sum() > 0
