# The model is on the GPU, the batch is not.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper
import torch

net = torch.nn.Linear(4, 3).to("cuda")
net(torch.randn(8, 4))  # raises
