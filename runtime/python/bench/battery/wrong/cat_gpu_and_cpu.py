# A class token of the CPU before tokens of the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got tensors is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_cat)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument tensors in method wrapper
import torch

tokens = torch.randn(2, 5, 4, device="cuda")
padding = torch.zeros(2, 1, 4)
torch.cat([tokens, padding], dim=1)  # raises
