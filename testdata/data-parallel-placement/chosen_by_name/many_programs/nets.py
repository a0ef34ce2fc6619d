import torch.nn as nn


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.fc = nn.Linear(4, classes)

    def forward(self, x):
        return self.fc(x)


def small(classes):
    return Net(classes)


def large(classes):
    return nn.Sequential(Net(8), nn.Linear(8, classes))
