# More than any GPU has.
# raises: OutOfMemoryError: CUDA out of memory. Tried to allocate
import torch

torch.empty(1 << 42, dtype=torch.uint8, device="cuda")  # raises
