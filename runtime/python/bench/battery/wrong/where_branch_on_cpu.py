# The other branch of where() is a tensor of the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# raises: RuntimeError: Expected condition, x and y to be on the same device
import torch

x = torch.randn(4, device="cuda")
torch.where(x > 0, x, torch.zeros(4))  # raises
