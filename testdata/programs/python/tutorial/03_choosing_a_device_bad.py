# There is no device type "gpu".
# raises: RuntimeError: Expected one of cpu, cuda, ... device type at start of device string: gpu
import torch

device = "gpu"
torch.nn.Linear(4, 3).to(device)  # expect: invalid-device  # raises
