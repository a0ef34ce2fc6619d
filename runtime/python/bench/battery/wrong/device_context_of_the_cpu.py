# torch.cuda.device() takes GPUs only.
# raises: ValueError: Expected a cuda device, but got: cpu
import torch

with torch.cuda.device(torch.ones(3).device):  # raises
    pass
