# A custom operator with CPU and CUDA kernels, a unit-carrying tensor subclass, a mode that logs calls, and the profiler.
# runs
from collections import Counter

import torch
from torch.overrides import TorchFunctionMode
from torch.profiler import ProfilerActivity, profile, record_function

calls = Counter()


@torch.library.custom_op("labtools::weighted_softplus", mutates_args=(), device_types="cpu")
def weighted_softplus(x: torch.Tensor, beta: float) -> torch.Tensor:
    calls["cpu"] += 1
    return torch.log1p(torch.exp(beta * x)) / beta


@weighted_softplus.register_kernel("cuda")
def _(x, beta):
    calls["cuda"] += 1
    return torch.logaddexp(beta * x, x.new_zeros(())) / beta


@weighted_softplus.register_fake
def _(x, beta):
    return torch.empty_like(x)


def _setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])
    ctx.beta = inputs[1]


weighted_softplus.register_autograd(
    lambda ctx, g: (g * torch.sigmoid(ctx.beta * ctx.saved_tensors[0]), None), setup_context=_setup
)


@torch.library.custom_op("labtools::decay", mutates_args={"state"}, device_types=("cpu", "cuda"))
def decay(state: torch.Tensor, rate: float) -> None:
    state.mul_(1 - rate)


class Quantity(torch.Tensor):
    """Keeps a unit; refuses to add different ones."""

    @staticmethod
    def __new__(cls, data, unit):
        out = torch.as_tensor(data).as_subclass(cls)
        out.unit = unit
        return out

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        units = {a.unit for a in args if isinstance(a, Quantity) and hasattr(a, "unit")}
        if func in (torch.add, torch.Tensor.add, torch.Tensor.__add__) and len(units) > 1:
            raise ValueError(f"cannot add {units}")
        out = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(out, Quantity) and len(units) == 1:
            out.unit = next(iter(units))
        return out


class DeviceLog(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def main():
    torch.manual_seed(0)
    x = torch.randn(6, device="cuda:1", requires_grad=True)
    y = weighted_softplus(x, 2.0)
    torch.testing.assert_close(y, torch.nn.functional.softplus(x, beta=2.0))
    torch.testing.assert_close(y.detach().cpu(), weighted_softplus(x.detach().cpu(), 2.0), rtol=1e-4, atol=1e-5)
    assert calls == {"cuda": 1, "cpu": 1} and y.device == x.device
    y.sum().backward()
    torch.testing.assert_close(x.grad, torch.sigmoid(2.0 * x.detach()))
    compiled = torch.compile(lambda t: weighted_softplus(t, 1.0) * 2, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(x.detach()), 2 * torch.nn.functional.softplus(x.detach()))
    state = torch.ones(3, device="cuda:0")
    decay(state, 0.25)
    assert state.tolist() == [0.75] * 3

    metres = Quantity(torch.tensor([1.0, 2.0]), "m").to("cuda:1")
    assert isinstance(metres, Quantity) and metres.unit == "m" and metres.device.index == 1
    assert (metres * 3).unit == "m" and (metres + metres).tolist() == [2.0, 4.0]
    try:
        metres + Quantity(torch.tensor([1.0, 1.0]), "s").cuda(1)
        raise AssertionError("units were ignored")
    except ValueError as error:
        assert "cannot add" in str(error)

    with DeviceLog() as log:
        z = torch.ones(2, device="cuda").add(1).cpu()
    assert log.names == ["ones", "add", "cpu"] and z.tolist() == [2.0, 2.0]
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as prof:
        with record_function("my_block"):
            (torch.ones(32, 32, device="cuda") @ torch.ones(32, 32, device="cuda")).sum().item()
    keys = {event.key for event in prof.key_averages()}
    assert "my_block" in keys and "aten::mm" in keys and "aten::sum" in keys
    print(dict(calls), log.names)


if __name__ == "__main__":
    main()
