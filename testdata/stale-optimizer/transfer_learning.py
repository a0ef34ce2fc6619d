# Layers are replaced behind the optimizer: by name, in a list, in a method, of a library's network.
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

    def start_task(self, classes):
        self.head = nn.Linear(16, classes)


def train(model, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.rand(4, 8, device="cuda")).sum().backward()
        optimizer.step()


model = Classifier(10)
optimizer = torch.optim.Adam(model.parameters())  # expect: stale-optimizer
model.start_task(3)
model.cuda()
train(model, optimizer)

other = Classifier(10)
by_group = torch.optim.SGD(  # expect: stale-optimizer
    [{"params": other.body.parameters(), "lr": 0.01}, {"params": other.head.parameters()}], lr=0.1)
other.body[2] = nn.Linear(16, 16)
train(other.cuda(), by_group)

network = torchvision.models.resnet18()
of_network = torch.optim.SGD(network.parameters(), lr=0.1)  # expect: stale-optimizer
network.fc = nn.Linear(network.fc.in_features, 2)
network.cuda()
network(torch.rand(2, 3, 64, 64, device="cuda")).sum().backward()
of_network.step()
