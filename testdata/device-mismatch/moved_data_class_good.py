# A batch is a data class: what is moved is a copy of it.
import dataclasses
from typing import List

import torch
from torch import nn


@dataclasses.dataclass
class Batch:
    images: torch.Tensor
    boxes: List[torch.Tensor]
    names: List[str] = dataclasses.field(default_factory=list)


def to_device(value, device):
    if torch.is_tensor(value):
        return value.to(device)
    if dataclasses.is_dataclass(value):
        moved = {f.name: to_device(getattr(value, f.name), device) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **moved)
    if isinstance(value, list):
        return [to_device(each, device) for each in value]
    return value


net = nn.Linear(4, 4).cuda()
batch = to_device(Batch(torch.rand(2, 4), [torch.rand(2, 4)], ["a"]), "cuda")
print(net(batch.images), net(batch.boxes[0]), batch.names)
