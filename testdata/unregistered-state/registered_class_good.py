# A decorator enters the loss in a table; its weights move with it.
import torch
import torch.nn as nn

LOSSES = {}


def register(table, name):
    def enter(cls):
        table[name] = cls
        return cls

    return enter


@register(LOSSES, "focal")
class FocalLoss(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.register_buffer("alpha", torch.linspace(0.5, 1.0, classes))

    def forward(self, logits, labels):
        return -(self.alpha.gather(0, labels) * logits.log_softmax(1)[:, 0]).mean()


def build(table, options):
    return table[options["type"]](**options["args"])


criterion = build(LOSSES, {"type": "focal", "args": {"classes": 3}}).to("cuda")
labels = torch.randint(0, 3, (8,), device="cuda")
criterion(torch.rand(8, 3, device="cuda"), labels)
