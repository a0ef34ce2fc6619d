# An assert on devices.
import torch


def scale(x, w):
    assert x.device == w.device, "operands on different devices"  # expect: failed-placement-check
    return x * w


w = torch.rand(4).cuda()
x = torch.rand(4)
print(scale(x, w))
