# The fifth of four GPUs is made current.
# raises: RuntimeError: CUDA error: invalid device ordinal
import torch

torch.cuda.set_device(torch.cuda.device_count())  # expect: invalid-device  # raises
