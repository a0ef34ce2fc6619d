# A scheduler of the program derives from PyTorch's, which moves nothing.
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import _LRScheduler


class PolynomialRate(_LRScheduler):
    def __init__(self, optimizer, steps, power=0.9, last_epoch=-1):
        self.steps = steps
        self.power = power
        super(PolynomialRate, self).__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * (1 - self.last_epoch / self.steps) ** self.power for rate in self.base_lrs]


net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = PolynomialRate(optimizer, 10)
net = nn.DataParallel(net)
net(torch.rand(8, 4).cuda()).sum().backward()  # expect: data-parallel-placement
optimizer.step()
scheduler.step()
