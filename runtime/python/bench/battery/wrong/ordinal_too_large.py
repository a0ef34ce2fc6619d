# A tensor for the sixth of two GPUs.
# raises: RuntimeError: CUDA error: invalid device ordinal
import torch

torch.ones(3).to("cuda:5")  # raises
