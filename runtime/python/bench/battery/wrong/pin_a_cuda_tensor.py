# Only memory of the host can be pinned.
# raises: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
import torch

torch.ones(3, device="cuda").pin_memory()  # raises
