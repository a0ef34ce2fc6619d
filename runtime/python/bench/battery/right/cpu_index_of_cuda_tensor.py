# Indices of the CPU may select from a tensor of the GPU.
# runs
import torch

table = torch.arange(10, device="cuda") * 10
assert table[torch.tensor([1, 3])].tolist() == [10, 30]
assert table[torch.arange(10) > 7].tolist() == [80, 90]
