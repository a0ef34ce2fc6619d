# Custom autograd functions on the GPU: gradcheck, several outputs, non-differentiable outputs, custom_fwd and vmap.
# runs
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class SoftShrinkage(Function):
    """x - tanh(kx)/k with a hand written derivative."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, k):
        return x - torch.tanh(k * x) / k

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.k = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.tanh(ctx.k * x).square(), None


class SortWithRank(Function):
    @staticmethod
    def forward(ctx, x):
        values, order = x.sort(dim=-1)
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_values, _):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(grad_values).scatter_(-1, order, grad_values)


class StraightThrough(Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        StraightThrough.seen = (x.dtype, torch.is_autocast_enabled("cuda"))
        return x.round()

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        return grad


class CrossDevice(Function):
    """Moves to another card and brings the gradient back."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.source = x.device
        return x.to(target)

    @staticmethod
    def backward(ctx, grad):
        assert grad.device != ctx.source
        return grad.to(ctx.source), None


def main():
    torch.manual_seed(0)
    x = torch.randn(3, 4, dtype=torch.float64, device="cuda:1", requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: SoftShrinkage.apply(t, 1.7), (x,))
    assert torch.autograd.gradgradcheck(lambda t: SoftShrinkage.apply(t, 1.7), (x,))
    assert torch.autograd.gradcheck(lambda t: SortWithRank.apply(t)[0], (x,))
    values, order = SortWithRank.apply(x)
    assert values.requires_grad and not order.requires_grad and order.device == x.device

    batched = torch.func.vmap(torch.func.grad(lambda t: SoftShrinkage.apply(t, 2.0).sum()))(x.detach())
    torch.testing.assert_close(batched, torch.tanh(2.0 * x.detach()).square())

    y = torch.randn(5, device="cuda", requires_grad=True)
    with torch.autocast("cuda", dtype=torch.float16):
        out = StraightThrough.apply(y.half())
    assert StraightThrough.seen == (torch.float32, False) and out.dtype == torch.float32
    (out * torch.arange(5.0, device="cuda")).sum().backward()
    torch.testing.assert_close(y.grad, torch.arange(5.0, device="cuda"))

    z = torch.randn(4, device="cuda:0", requires_grad=True)
    moved = CrossDevice.apply(z * 2, "cuda:1")
    assert moved.device.index == 1
    (moved**2).sum().backward()
    assert z.grad.device == z.device
    torch.testing.assert_close(z.grad, 8 * z.detach())
    print("all gradients agree")


main()
