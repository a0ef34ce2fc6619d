# The forward makes a tensor on the first GPU, and its replicas run on others.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)

    def forward(self, x):
        noise = torch.randn(x.size(0), 8, device="cuda:0")
        return self.fc(x) + noise  # expect: hardcoded-device


net = nn.DataParallel(Net()).cuda()
for (batch,) in DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4):
    net(batch).sum().backward()
