# A zero-dimensional tensor of the CPU may meet a tensor of the GPU.
# runs
import torch

x = torch.ones(3, device="cuda") * torch.tensor(2.0) + 1
assert x.tolist() == [3, 3, 3] and x.device == torch.device("cuda", 0)
