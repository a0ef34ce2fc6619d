# The trainer keeps the inner model beside the wrapped one.
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(5, 1)
        self.margin = 0.5

    def forward(self, x):
        return self.net(x)

    def regularizer(self):
        return self.net.weight.pow(2).sum() * self.margin


class Trainer:
    def __init__(self, model):
        self.device = torch.device("cuda:0")
        self.inner = model
        self.model = nn.DataParallel(model).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def train_step(self, x):
        loss = self.model(x.to(self.device)).mean()
        loss = loss + self.inner.regularizer()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


Trainer(Model()).train_step(torch.randn(4, 5))
