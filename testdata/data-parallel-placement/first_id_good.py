# The model is on the first of its device_ids.
import argparse

import torch
from torch import nn


class Solver(object):
    def __init__(self, gpu_ids):
        self.gpu_ids = gpu_ids
        self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.net.to("cuda:%d" % gpu_ids[0])
        self.net = nn.DataParallel(self.net, device_ids=self.gpu_ids)

    def run(self, images):
        return self.net(images)


if __name__ == "__main__":
    solver = Solver([1, 2])
    solver.run(torch.randn(4, 3, 6, 6))
