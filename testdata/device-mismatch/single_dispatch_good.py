# Which function moves a batch depends on its type.
from functools import partial, singledispatch

import torch


@singledispatch
def send(value, device):
    return value


@send.register(torch.Tensor)
def _(value, device):
    return value.to(device)


@send.register(dict)
def _(value, device):
    return {key: send(each, device) for key, each in value.items()}


weight = torch.rand(3, device="cuda")
batch = send({"x": torch.rand(3), "name": "first"}, "cuda")
print((batch["x"] * weight).sum())
to_gpu = partial(send, device="cuda")
print((to_gpu(torch.rand(3)) * weight).sum())
