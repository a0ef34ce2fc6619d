# The parameter groups of the optimizer are taken from the wrapper.
import torch
from torch import nn


class FineTuned(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4))
        self.classifier = nn.Linear(4, classes)

    def forward(self, x):
        return self.classifier(self.backbone(x).mean((2, 3)))


def get_optimizer(model):
    ignored = list(map(id, model.classifier.parameters()))  # expect: data-parallel-attribute
    base = filter(lambda p: id(p) not in ignored, model.parameters())
    return torch.optim.SGD([{"params": base, "lr": 0.01},
                            {"params": model.classifier.parameters(), "lr": 0.1}])  # expect: data-parallel-attribute


model = torch.nn.DataParallel(FineTuned(3).cuda(), device_ids=[0, 1])
optimizer = get_optimizer(model)
