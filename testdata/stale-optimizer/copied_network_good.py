# The optimizer is made for the copy, the copy is an average of the network, a teacher, or a worker
# whose gradients the program hands on.
import copy

import torch
from torch import nn


def make():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


def train(network, optimizer, x):
    optimizer.zero_grad()
    network(x).sum().backward()
    optimizer.step()


x = torch.rand(16, 4, device="cuda:0")

pristine = make()
unused = torch.optim.SGD(pristine.parameters(), lr=0.1)
network = copy.deepcopy(pristine).to("cuda:0")
train(network, torch.optim.SGD(network.parameters(), lr=0.1), x)

student = make().to("cuda:0")
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
teacher = copy.deepcopy(student)
for _ in range(2):
    optimizer.zero_grad()
    (student(x) - teacher(x)).pow(2).sum().backward()
    optimizer.step()

leader = make().to("cuda:0")
of_leader = torch.optim.SGD(leader.parameters(), lr=0.1)
worker = copy.deepcopy(leader).to("cuda:1")
for _ in range(2):
    worker.zero_grad()
    worker(x.to("cuda:1")).sum().backward()
    for mine, theirs in zip(leader.parameters(), worker.parameters()):
        mine.grad = theirs.grad.to(mine.device)
    of_leader.step()
