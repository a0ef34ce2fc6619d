# A transform for the preparation of data: it computes on the GPU, and stays on the CPU itself.
import torch
from torch import nn
from torch.nn import functional as F


class Transform(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("basis", torch.randn(4, 1, 3))

    def transform(self, x):
        return F.conv1d(x.cuda(), self.basis.cuda()).cpu()

    def inverse(self, y):
        return F.conv_transpose1d(y, self.basis)

    def forward(self, x):
        return self.inverse(self.transform(x))
