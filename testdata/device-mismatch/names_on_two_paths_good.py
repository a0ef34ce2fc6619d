# A record that moves what it holds by the names of its fields, of which some may be None.
import torch
from torch.utils.data import DataLoader


class Batch:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    @property
    def keys(self):
        return [name for name, value in self.__dict__.items() if value is not None]

    def to(self, device):
        for name in self.keys:
            value = getattr(self, name)
            if torch.is_tensor(value):
                setattr(self, name, value.to(device))
        return self


def collate(items):
    return Batch(x=torch.stack(items), y=torch.rand(len(items)), weight=torch.ones(len(items)),
                 index=torch.arange(len(items)), count=len(items))


scale = torch.rand(4).to("cuda")
loader = DataLoader([torch.rand(4) for _ in range(8)], batch_size=4, collate_fn=collate)
for batch in loader:
    batch.to("cuda")
    print((batch.x * scale).sum(1).add(batch.y).mul(batch.weight).sum().item())
