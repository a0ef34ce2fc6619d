# The first part of each name is that of the wrapper.
import torch
from torch import nn

RATES = {"trunk": 0.001, "head": 0.1}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.trunk(x))


def groups_of(model):
    groups = {part: [] for part in RATES}
    for name, parameter in model.named_parameters():
        groups[name.split(".", 1)[0]].append(parameter)  # expect: missing-key
    return [{"params": parameters, "lr": RATES[part]} for part, parameters in groups.items()]


model = nn.DataParallel(Net().cuda())
optimizer = torch.optim.SGD(groups_of(model), lr=0.1)
