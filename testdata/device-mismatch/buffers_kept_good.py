# What is kept of a module's buffers after it has moved, or looked up each time, is where it is.
import torch
from torch import nn


class Edges(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.ones(1, 1, 3, 3))

    @property
    def kernels(self):
        return {"x": self.kernel}

    def forward(self, image):
        return nn.functional.conv2d(image, self.kernels["x"])


edges = Edges().cuda()
kept = edges.kernel
edges(torch.rand(2, 1, 8, 8).cuda()) * kept[0, 0, 0, 0]
