# One helper moves modules, batches, and what is neither.
import torch
from torch import nn


def recursive_to(x, device):
    if hasattr(x, "to") and callable(x.to):
        return x.to(device)
    if isinstance(x, dict):
        return type(x)((k, recursive_to(v, device)) for k, v in x.items())
    if isinstance(x, (list, tuple)):
        return type(x)(recursive_to(v, device) for v in x)
    return x


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("by", torch.ones(4))

    def forward(self, x):
        return x + self.by


class Trainer:
    def __init__(self, model, criterion):
        self.device = torch.device("cuda")
        self.model, self.criterion = (recursive_to(m, self.device) for m in (model, criterion))

    def step(self, batch):
        batch = recursive_to(batch, self.device)
        return self.criterion(self.model(batch["x"]) - batch["more"][0])


trainer = Trainer(nn.Linear(4, 4), Shift())
print(trainer.step({"x": torch.rand(2, 4), "more": [torch.rand(2, 4), "name"]}))
