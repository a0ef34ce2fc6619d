# torch.compile() gives a model that computes the same.
# runs
import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)).cuda()
compiled = torch.compile(net)
x = torch.randn(3, 4, device="cuda")
assert torch.allclose(compiled(x), net(x), atol=1e-5)
