# The number of a GPU alone is no device.
import torch

gpu = "0"
net = torch.nn.Linear(2, 2)
net.to(gpu)  # expect: invalid-device
