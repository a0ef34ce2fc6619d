# The arguments of a forward are given by name in another order, or left to their defaults: it is the
# batch that is not moved, and not what stands where its parameter does.
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x, targets=None, scale=1.0):
        logits = self.layer(x) * scale
        if targets is None:
            return logits
        return nn.functional.mse_loss(logits, targets)


model = Classifier().cuda()
batch = torch.rand(3, 4)
targets = torch.rand(3, 2).cuda()
pair = (torch.rand(3, 4), targets)


def all_by_name():
    model(targets=targets, scale=2.0, x=batch)  # expect: device-mismatch


def some_by_name():
    model(batch, scale=2.0)  # expect: device-mismatch


def one_alone():
    model.forward(batch)  # expect: device-mismatch


def several_as_one():
    model(*pair)  # expect: device-mismatch
    torch.sub(*pair)  # expect: device-mismatch


all_by_name()
some_by_name()
one_alone()
several_as_one()
