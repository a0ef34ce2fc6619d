# Layers that options choose, which all move with the module.
import argparse

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.first = nn.Linear(4, 4) if args.plain_first else nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.second = nn.Linear(4, 4) if args.plain_second else nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.third = nn.Linear(4, 4) if args.plain_third else nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.fourth = nn.Linear(4, 4) if args.plain_fourth else nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.fifth = nn.Linear(4, 4) if args.plain_fifth else nn.Sequential(nn.Linear(4, 4), nn.ReLU())

    def forward(self, x):
        return self.fifth(self.fourth(self.third(self.second(self.first(x)))))


parser = argparse.ArgumentParser()
for layer in ["first", "second", "third", "fourth", "fifth"]:
    parser.add_argument("--plain-" + layer, action="store_true")
args = parser.parse_args()
model = nn.DataParallel(Net(args)).cuda()
model(torch.rand(8, 4).cuda())
outputs = model(torch.rand(8, 4))
print((outputs - torch.rand(8, 4).cuda()).sum())
