# Blocks are appended to a list that the module does not register.
import argparse

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, planes):
        super().__init__()
        self.conv = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(planes)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)) + x)


class ResNet(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.blocks = []  # expect: unregistered-state
        for _ in range(depth):
            self.blocks.append(Block(4))
        self.fc = nn.Linear(4, 10)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.fc(x.mean(dim=(2, 3)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--device", default="cuda:0", help="device id (i.e. 0 or 0,1 or cpu)")
    opt = parser.parse_args()
    device = torch.device(opt.device)
    net = ResNet(opt.depth).to(device)
    net(torch.rand(2, 3, 4, 4, device=device)).sum().backward()
