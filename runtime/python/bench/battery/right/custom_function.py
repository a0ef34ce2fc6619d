# A custom function whose gradient stays on its device.
# runs
import torch


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return gradient * (x > 0)


x = torch.tensor([-1.0, 2.0], device="cuda:1", requires_grad=True)
Clamp.apply(x).sum().backward()
assert x.grad.tolist() == [0, 1] and x.grad.get_device() == 1
assert torch.autograd.gradcheck(Clamp.apply, torch.rand(3, dtype=torch.double, device="cuda",
                                                        requires_grad=True) + 1)
