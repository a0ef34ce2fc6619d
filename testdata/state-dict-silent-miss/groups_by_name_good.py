# The names are those of the wrapped module, or are compared with the prefix.
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def groups_of(model, beginning):
    slow, fast = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(beginning):
            slow.append(parameter)
        else:
            fast.append(parameter)
    return [{"params": slow, "lr": 0.001}, {"params": fast, "lr": 0.1}]


model = nn.DataParallel(Classifier().cuda())
torch.optim.SGD(groups_of(model.module, "backbone."), lr=0.1)
torch.optim.SGD(groups_of(model, "module.backbone."), lr=0.1)
