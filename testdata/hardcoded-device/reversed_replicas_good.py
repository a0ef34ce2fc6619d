"""Each replica runs with its own device selected, the first one too."""
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x) * torch.ones(4).cuda()


net = nn.DataParallel(Scaled(), device_ids=[1, 0]).to("cuda:1")
net(torch.rand(6, 4))
torch.ones(4).cuda() + torch.ones(4, device="cuda:0")
