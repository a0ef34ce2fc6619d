# A small residual network infers on the fourth GPU.
# runs
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(x + self.norm(self.conv(x)))


net = nn.Sequential(nn.Conv2d(3, 8, 3), Block(8), Block(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                    nn.Linear(8, 10)).to("cuda:3").eval()
with torch.no_grad():
    output = net(torch.randn(1, 3, 16, 16).to("cuda:3"))
assert str(output.device) == "cuda:3" and output.size() == (1, 10)
