# devices: 2
# The second of two GPUs is asked for.
import torch

model = torch.nn.Linear(4, 4).cuda(1)
