# One GPU is visible; it is cuda:0, whatever its physical number.
# environment: CUDA_VISIBLE_DEVICES=1
# raises: RuntimeError: CUDA error: invalid device ordinal
import torch

torch.ones(3, device="cuda:0")
torch.ones(3, device="cuda:1")  # raises
