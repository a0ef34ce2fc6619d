# The model is on the least of the ids, which comes first.
import torch
from torch import nn

ids = [int(number) for number in "1,0".split(",")]
net = nn.Linear(4, 2).to(torch.device("cuda", min(ids)))
net = nn.DataParallel(net, device_ids=sorted(ids))
net(torch.rand(8, 4).to(torch.device("cuda", min(ids))))
