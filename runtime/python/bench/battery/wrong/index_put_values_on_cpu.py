# Values of the CPU are written through an index.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

memory = torch.zeros(6, 2, device="cuda")
rows = torch.tensor([0, 3], device="cuda")
memory[rows] = torch.ones(2, 2)  # raises
