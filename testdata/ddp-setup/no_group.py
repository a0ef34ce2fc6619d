# Nobody makes a process group before the module is wrapped.
import torch
from torch import nn


class Worker:
    def __init__(self, rank):
        self.rank = rank
        self.device = torch.device("cuda", rank)

    def model(self):
        net = nn.Linear(4, 2).to(self.device)
        return nn.parallel.DistributedDataParallel(net, device_ids=[self.rank])  # expect: ddp-setup


print(Worker(0).model())
