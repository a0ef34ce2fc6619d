# A generator of the GPU draws the latents on the CPU.
# raises: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
import torch

generator = torch.Generator("cuda").manual_seed(0)
torch.randn(3, generator=generator)  # raises
