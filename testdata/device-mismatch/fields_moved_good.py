# A record that moves the fields which are tensors.
import dataclasses
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Batch:
    x: torch.Tensor
    y: torch.Tensor
    name: str

    def to(self, device):
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if torch.is_tensor(value):
                setattr(self, field.name, value.to(device))
        return self


model = nn.Linear(4, 2).to("cuda:0")
batch = Batch(torch.rand(3, 4), torch.tensor([0, 1, 0]), "first")
batch.to("cuda:0")
print(nn.functional.cross_entropy(model(batch.x), batch.y).item())
