# devices: 2
# The third of two GPUs is asked for.
import torch

model = torch.nn.Linear(4, 4).cuda(2)  # expect: invalid-device
