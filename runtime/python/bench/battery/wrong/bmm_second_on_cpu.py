# A batched product with a matrix of the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat2 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_bmm)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument mat2 in method wrapper
import torch

a = torch.randn(2, 3, 4).cuda()
torch.bmm(a, torch.randn(2, 4, 5))  # raises
