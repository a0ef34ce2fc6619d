# A module that moves gets new buffers: who has kept one keeps the old one. Its parameters stay the
# same objects.
import torch
from torch import nn


class Edges(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.ones(1, 1, 3, 3))
        self.bias = nn.Parameter(torch.zeros(1))
        self.kernels = {"x": self.kernel}
        self.biases = {"x": self.bias}

    def forward(self, image):
        image = image + self.biases["x"]
        image = nn.functional.conv2d(image, self.kernel, padding=1)
        return nn.functional.conv2d(image, self.kernels["x"])


edges = Edges().cuda()
edges(torch.rand(2, 1, 8, 8).cuda())  # expect: device-mismatch
