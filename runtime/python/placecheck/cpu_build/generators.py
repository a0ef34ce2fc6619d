"""torch.Generator(device="cuda"), which releases before 2.6 refuse in a CPU build."""

from . import calls


def _makes_cuda_generators(torch) -> bool:
    """Newer releases ask CUDA's hooks, which are there. To try it would count the devices, and a
    CUDA_VISIBLE_DEVICES that the program sets after `import torch` would come too late."""
    return tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 6)


def install(torch) -> None:
    if _makes_cuda_generators(torch):
        return
    host = torch._C.Generator

    class _GeneratorType(type):
        def __instancecheck__(cls, value):
            return isinstance(value, host)

        def __subclasscheck__(cls, kind):
            return issubclass(kind, host)

    class Generator(metaclass=_GeneratorType):
        __doc__ = host.__doc__

        def __new__(cls, device="cpu"):
            place = torch.device(device)
            if place.type != "cuda":
                return host(device=device)
            torch.cuda._lazy_init()
            return calls.new_generator(
                calls.current_device() if place.index is None else place.index)

    Generator.__module__ = "torch"
    torch.Generator = Generator
