# The first of the ids is where the model has to be, not the least one.
import torch
from torch import nn

ids = [int(number) for number in "1,0".split(",")]
net = nn.Linear(4, 2).to(torch.device("cuda", ids[0]))
net = nn.DataParallel(net, device_ids=sorted(ids))
net(torch.rand(8, 4).to(torch.device("cuda", ids[0])))  # expect: data-parallel-placement
