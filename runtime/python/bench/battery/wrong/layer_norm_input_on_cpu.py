# Features of the CPU in a normalisation on the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got weight is on cuda:0, different from other tensors on cpu
# raises: RuntimeError: two devices, cpu and cuda:0! (when checking argument for argument weight in method wrapper
import torch

norm = torch.nn.LayerNorm(4).cuda()
features = torch.randn(2, 4)
norm(features)  # raises
