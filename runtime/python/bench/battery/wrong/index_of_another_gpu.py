# Indices of cuda:1 select from cuda:0.
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cuda:0)
import torch

table = torch.randn(10, 4, device="cuda:0")
rows = torch.tensor([1, 2], device="cuda:1")
table[rows]  # raises
