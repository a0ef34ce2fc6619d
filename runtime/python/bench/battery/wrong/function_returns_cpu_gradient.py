# backward() of a custom function computes on the CPU and does not come back.
# raises: RuntimeError: Function DoubleBackward returned an invalid gradient at index 0 - expected device cuda:0 but got cpu
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient.cpu() * 2


x = torch.ones(3, device="cuda", requires_grad=True)
Double.apply(x).sum().backward()  # raises
