# What the backward pass needs waits on the CPU.
# runs
import torch

x = torch.randn(5, device="cuda", requires_grad=True)
with torch.autograd.graph.save_on_cpu(pin_memory=True):
    y = (x.exp() * x).sum()
y.backward()
assert torch.allclose(x.grad, x.exp() * (x + 1))
