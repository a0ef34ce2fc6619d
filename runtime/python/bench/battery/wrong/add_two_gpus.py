# Results of two GPUs are added.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!
import torch

a = torch.ones(3, device="cuda:0")
b = torch.ones(3, device="cuda:1")
a + b  # raises
