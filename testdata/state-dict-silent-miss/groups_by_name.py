# The groups of an optimizer are chosen by names which the wrapper has changed.
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def groups_of(model):
    slow, fast = [], []
    for name, parameter in model.named_parameters():
        if name.startswith("backbone."):  # expect: state-dict-silent-miss
            slow.append(parameter)
        else:
            fast.append(parameter)
    return [{"params": slow, "lr": 0.001}, {"params": fast, "lr": 0.1}]


model = nn.DataParallel(Classifier().cuda())
optimizer = torch.optim.SGD(groups_of(model), lr=0.1)
model(torch.rand(8, 4)).sum().backward()
optimizer.step()

chosen = [p for name, p in model.named_parameters()
          if name.startswith(("head", "tail"))]  # expect: state-dict-silent-miss
by_comprehension = torch.optim.Adam([{"params": chosen}])
