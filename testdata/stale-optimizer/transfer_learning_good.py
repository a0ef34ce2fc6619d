# The new layer is given to an optimizer, is frozen, or is put in for another reason than training.
import copy

import torch
import torchvision
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16))
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.body(x))


def train(model, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.rand(4, 8, device="cuda")).sum().backward()
        optimizer.step()


model = Classifier(10).cuda()
optimizer = torch.optim.Adam(model.parameters())
train(model, optimizer)
model.head = nn.Linear(16, 3).cuda()
optimizer.add_param_group({"params": model.head.parameters()})
train(model, optimizer)

other = Classifier(10).cuda()
first = torch.optim.SGD(other.parameters(), lr=0.1)
other.head = nn.Linear(16, 4).cuda()
second = torch.optim.SGD([p for p in other.head.parameters() if p.requires_grad], lr=0.1)
train(other, first)
second.step()

frozen = Classifier(10).cuda()
of_frozen = torch.optim.SGD(frozen.parameters(), lr=0.1)
frozen.head = nn.Identity()
train(frozen, of_frozen)

teacher = copy.deepcopy(frozen)
teacher.head = nn.Linear(16, 2).cuda()
train(frozen, of_frozen)

network = torchvision.models.resnet18()
network.fc = nn.Linear(network.fc.in_features, 2)
network.cuda()
of_network = torch.optim.SGD(network.parameters(), lr=0.1)
network(torch.rand(2, 3, 64, 64, device="cuda")).sum().backward()
of_network.step()


def freeze(module):
    for parameter in module.parameters():
        parameter.requires_grad = False


probed = Classifier(10).cuda()
of_probed = torch.optim.SGD(probed.parameters(), lr=0.1)
probed.head = nn.Linear(16, 3).cuda()
freeze(probed.head)
train(probed, of_probed)
probed.body[2] = nn.Linear(16, 16).cuda().requires_grad_(False)
train(probed, of_probed)
