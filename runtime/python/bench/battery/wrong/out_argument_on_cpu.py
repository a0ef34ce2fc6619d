# The result is written to a tensor of the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but ... cpu
import torch

a = torch.randn(3, 3, device="cuda")
torch.mm(a, a, out=torch.empty(3, 3))  # raises
