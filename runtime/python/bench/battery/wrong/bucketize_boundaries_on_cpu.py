# The boundaries of the bins are on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got boundaries is on cpu, different from other tensors on cuda:0
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument boundaries in method wrapper
import torch

depth = torch.rand(8, device="cuda")
torch.bucketize(depth, torch.linspace(0, 1, 5))  # raises
