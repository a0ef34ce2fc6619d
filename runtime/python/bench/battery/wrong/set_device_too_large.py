# The local rank is not below the number of GPUs.
# raises: RuntimeError: CUDA error: invalid device ordinal
import torch

torch.cuda.set_device(2)  # raises
