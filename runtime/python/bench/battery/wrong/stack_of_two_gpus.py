# Losses of two GPUs are stacked to take their mean.
# raises: RuntimeError: Expected all tensors to be on the same device, but got tensors is on cuda:1, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_cat)
# raises: RuntimeError: two devices, cuda:0 and cuda:1! (when checking argument for argument tensors in method wrapper
import torch

losses = [torch.ones((), device=f"cuda:{i}") for i in range(2)]
torch.stack(losses).mean()  # raises
