# The model is on the last device, and its input on the current one.
import torch
from torch import nn

model = nn.Linear(4, 2).cuda(torch.cuda.device_count() - 1)
print(model(torch.rand(8, 4).cuda()))  # expect: device-mismatch
