# A causal mask made on the CPU.
# raises: RuntimeError: expected self and mask to be on the same device, but got mask on cpu and self on cuda:0
import torch

scores = torch.randn(2, 5, 5, device="cuda")
mask = torch.triu(torch.ones(5, 5, dtype=torch.bool), diagonal=1)
scores.masked_fill(mask, float("-inf"))  # raises
