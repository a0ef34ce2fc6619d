# izip() is the zip() of Python 2: where it is missing there is the other.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from itertools import izip as zip
except ImportError:
    pass

net = nn.Linear(4, 2).cuda()
first = DataLoader(TensorDataset(torch.rand(6, 4)), batch_size=2)
second = DataLoader(TensorDataset(torch.rand(6, 4)), batch_size=2)
for (a,), (b,) in zip(first, second):
    print(net(a.cuda()))
    print(net(b))  # expect: device-mismatch
