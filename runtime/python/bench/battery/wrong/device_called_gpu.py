# There is no device type of that name.
# raises: RuntimeError: Expected one of cpu, cuda, ... device type at start of device string: gpu
import torch

torch.nn.Linear(4, 2).to("gpu")  # raises
