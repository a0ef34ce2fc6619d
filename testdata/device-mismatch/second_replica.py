# A device that was chosen once is used in every replica of the module.
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class NoisyLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.mean = nn.Parameter(torch.rand(outputs, inputs))
        self.scale = nn.Parameter(torch.rand(outputs, inputs))
        self.device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")

    def forward(self, x):
        noise = torch.randn(self.scale.size(), device=self.device)
        return F.linear(x, self.mean + self.scale * noise)  # expect: device-mismatch


net = nn.DataParallel(nn.Sequential(NoisyLinear(6, 8), nn.ReLU(), NoisyLinear(8, 3)).cuda(), device_ids=[0, 1])
for (batch,) in DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4):
    net(batch.cuda()).sum().backward()
