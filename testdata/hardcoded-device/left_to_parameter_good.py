# Modules of a library: a parameter says whether they run on a GPU.
import torch
from torch import nn
from torch.nn import functional as F


class Margin(nn.Module):
    def __init__(self, classes, device_id):
        super().__init__()
        self.device_id = device_id
        self.weight = nn.Parameter(torch.randn(classes, 4))

    def forward(self, x, label):
        cosine = F.linear(x, self.weight)
        one_hot = torch.zeros(cosine.size())
        if self.device_id is not None:
            one_hot = one_hot.cuda(self.device_id)
        one_hot.scatter_(1, label.view(-1, 1), 1)
        return one_hot * (cosine - 0.35) + (1 - one_hot) * cosine


class Region(nn.Module):
    def __init__(self, use_gpu=True):
        super().__init__()
        self.use_gpu = use_gpu
        self.shift = nn.Parameter(torch.zeros(2))

    def theta(self, count):
        theta = torch.zeros(count, 2)
        if self.use_gpu:
            theta = theta.cuda()
        return theta

    def forward(self, x):
        return self.theta(x.size(0)) + self.shift
