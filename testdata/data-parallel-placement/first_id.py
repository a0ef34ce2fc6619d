# The model is on cuda:0, the first of its device_ids is 1.
import argparse

import torch
from torch import nn


class Solver(object):
    def __init__(self, gpu_ids):
        self.gpu_ids = gpu_ids
        self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.net.to("cuda:0")
        self.net = nn.DataParallel(self.net, device_ids=self.gpu_ids)

    def run(self, images):
        return self.net(images)  # expect: data-parallel-placement


if __name__ == "__main__":
    solver = Solver([1, 2])
    solver.run(torch.randn(4, 3, 6, 6))
