# The padding follows the tensor, by its type in one class and by a question after its use in the
# other.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Shortcut(nn.Module):
    def __init__(self, planes):
        super().__init__()
        self.planes = planes

    def forward(self, x):
        out = F.avg_pool2d(x, kernel_size=1, stride=2)
        padding = torch.zeros(out.size(0), self.planes - out.size(1), out.size(2), out.size(3))
        if isinstance(out.data, torch.cuda.FloatTensor):
            padding = padding.cuda()
        return torch.cat([out, padding], dim=1)


class Gaussian(nn.Module):
    def __init__(self, features, actions):
        super().__init__()
        self.mean = nn.Linear(features, actions)
        self.scale = nn.Parameter(torch.zeros(actions))

    def forward(self, x):
        mean = self.mean(x)
        zeros = torch.zeros(mean.size())
        if x.is_cuda:
            zeros = zeros.cuda()
        return mean, (zeros + self.scale).exp()


device = torch.device("cpu" if "--no-cuda" in sys.argv else "cuda")
shortcut = Shortcut(8).to(device)
policy = Gaussian(32, 2).to(device)
for step in range(2):
    features = shortcut(torch.randn(4, 2, 4, 4, device=device)).flatten(1)
    mean, scale = policy(features)
    print((mean + scale).sum().item())
