# However often a module is wrapped, it is unwrapped.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def unwrap(model):
    while hasattr(model, "module"):
        model = model.module
    return model


print(unwrap(nn.DataParallel(Net().cuda())).fc, unwrap(Net()).fc)
