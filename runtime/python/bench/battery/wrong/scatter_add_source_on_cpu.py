# Messages of a graph layer are summed into nodes of the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got src is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_scatter_add
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument src in method wrapper
import torch

nodes = torch.zeros(5, device="cuda")
target = torch.tensor([0, 1, 1, 4], device="cuda")
nodes.scatter_add_(0, target, torch.ones(4))  # raises
