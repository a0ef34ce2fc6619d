# Which devices there are is a member of an enumeration; one case moves nothing.
import argparse
from enum import Enum

import torch
from torch import nn


class Placement(Enum):
    SINGLE = "single"
    SPLIT = "split"
    HOST = "host"


class Towers(nn.Module):
    def __init__(self, placement):
        super().__init__()
        self.placement = Placement(placement)
        match self.placement:
            case Placement.SINGLE:
                self.first = self.second = torch.device("cuda:0")
            case Placement.SPLIT:
                self.first, self.second = torch.device("cuda:0"), torch.device("cuda:1")
            case Placement.HOST:
                self.first = self.second = torch.device("cpu")
        self.users = nn.Linear(4, 4).to(self.first)
        self.items = nn.Linear(4, 4).to(self.second)

    def forward(self, users, items):
        u = self.users(users.to(self.first))
        v = self.items(items.to(self.second))
        if self.placement is Placement.SINGLE:
            v = v.to(self.first)
        return (u * v).sum()  # expect: device-mismatch


parser = argparse.ArgumentParser()
parser.add_argument("--placement", choices=[each.value for each in Placement], default="split")
args = parser.parse_args()
towers = Towers(args.placement)
towers(torch.ones(2, 4), torch.ones(2, 4))
