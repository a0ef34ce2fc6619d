# Each member of an ensemble has its own device.
import torch
import torch.nn as nn


def member_device(i):
    return f"cuda:{i}"


class Member:
    def __init__(self, i):
        self.device = member_device(i)
        self.net = nn.Linear(4, 4).to(self.device)


members = [Member(i) for i in range(torch.cuda.device_count())]
