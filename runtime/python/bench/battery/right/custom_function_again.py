# Custom autograd functions on the GPU, with double backward and gradcheck, in a quantisation-like layer.
# runs
import torch
from torch import nn


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x ** 2 * grad


class RoundStraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step):
        return torch.round(x / step) * step

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class Gate(torch.autograd.Function):
    """Sends its input to another GPU, and its gradient back, scaled."""

    @staticmethod
    def forward(ctx, x, device, scale):
        ctx.device, ctx.scale = x.device, scale
        return x.to(device)

    @staticmethod
    def backward(ctx, grad):
        return grad.to(ctx.device) * ctx.scale, None, None


torch.manual_seed(28)
x = torch.randn(4, 3, dtype=torch.float64, device="cuda:0", requires_grad=True)
assert torch.autograd.gradcheck(Cube.apply, (x,))
assert torch.autograd.gradgradcheck(Cube.apply, (x,))
(first,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
assert torch.allclose(second, 6 * x.detach())

layer = nn.Linear(3, 2).double().to("cuda:1")
crossed = Gate.apply(x, "cuda:1", -0.5)
assert crossed.device == torch.device("cuda:1") and crossed.requires_grad
layer(crossed).sum().backward()
assert x.grad.device == torch.device("cuda:0")
assert torch.allclose(x.grad.cpu(), -0.5 * layer.weight.detach().sum(0).cpu().expand(4, 3))

w = torch.tensor([0.2, 0.6, -1.4], device="cuda:1", requires_grad=True)
step = torch.tensor(0.5, device="cuda:1")
rounded = RoundStraightThrough.apply(w, step)
(rounded * torch.tensor([1.0, 2.0, 3.0], device="cuda:1")).sum().backward()
assert rounded.tolist() == [0.0, 0.5, -1.5] and w.grad.tolist() == [1.0, 2.0, 3.0]
