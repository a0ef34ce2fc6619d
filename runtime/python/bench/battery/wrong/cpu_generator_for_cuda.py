# A generator of the CPU draws numbers of the GPU.
# raises: RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'
import torch

generator = torch.Generator().manual_seed(0)
torch.randn(3, device="cuda", generator=generator)  # raises
