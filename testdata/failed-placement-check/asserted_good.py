# Asserts that hold, and one whose error is handled.
import torch


def scale(x, w):
    assert x.device == w.device, "operands on different devices"
    return x * w


def on(x, device):
    try:
        if x.device.type != device:
            raise RuntimeError("elsewhere")
        return x
    except RuntimeError:
        return x.to(device)


w = torch.rand(4).cuda()
x = on(torch.rand(4), "cuda")
assert x.is_cuda
print(scale(x, w))
