# The fields of a data class are those of its bases, too.
import dataclasses
from dataclasses import dataclass, field

import torch
from torch import Tensor


def tree_map(function, item):
    if isinstance(item, Tensor):
        return function(item)
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        moved = {each.name: tree_map(function, getattr(item, each.name))
                 for each in dataclasses.fields(item)}
        return dataclasses.replace(item, **moved)
    if isinstance(item, dict):
        return {key: tree_map(function, value) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return type(item)(tree_map(function, value) for value in item)
    return item


@dataclass
class Graph:
    x: Tensor
    extra: dict = field(default_factory=dict)


@dataclass
class GraphBatch(Graph):
    owner: Tensor = None

    def to(self, *args, **kwargs):
        return tree_map(lambda tensor: tensor.to(*args, **kwargs), self)


batch = GraphBatch(x=torch.rand(3), owner=torch.zeros(3), extra={"deg": [torch.ones(3)]})
moved = batch.to("cuda", non_blocking=True)
bias = torch.rand(3).cuda()
print(moved.x + bias, moved.owner + bias, moved.extra["deg"][0] + bias, batch.x + batch.owner)
