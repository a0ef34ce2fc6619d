# The list of penalties is empty in the first iteration, and its elements are used in the second.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, count):
        self.items = [(torch.randn(8), i % 2) for i in range(count)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        first, label = self.items[index]
        while True:
            second, other = random.choice(self.items)
            if label == other:
                break
        return first + second, label


class Penalty:
    def __init__(self, model):
        self.means = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.weights = {name: torch.ones(p.size()) for name, p in model.named_parameters()}

    def __call__(self, model):
        total = 0
        for name, p in model.named_parameters():
            total = total + (self.weights[name] * (p - self.means[name]) ** 2).sum()  # expect: device-mismatch
        return total


model = nn.Linear(8, 2).cuda()
penalties = []
for task in range(2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(Pairs(8), batch_size=4):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        for penalty in penalties:
            loss = loss + 0.1 * penalty(model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    penalties.append(Penalty(model))
