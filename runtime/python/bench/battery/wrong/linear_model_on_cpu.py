# The batch is on the GPU, the model was never moved.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_addmm)
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cpu and cuda:0! (when checking argument for argument mat1 in method wrapper
import torch

net = torch.nn.Linear(4, 3)
batch = torch.randn(8, 4, device="cuda:0")
net(batch)  # raises
