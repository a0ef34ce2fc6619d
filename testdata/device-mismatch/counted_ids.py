# The list of all GPUs is filled by a loop: its last element is not its first one.
import torch
from torch import nn

ids = []
for i in range(torch.cuda.device_count()):
    ids.append(i)
net = nn.Linear(4, 2).to(f"cuda:{ids[0]}")
batch = torch.rand(3, 4)
print(net(batch.to(f"cuda:{ids[0]}")))
print(net(batch.to(f"cuda:{ids[-1]}")))  # expect: device-mismatch
