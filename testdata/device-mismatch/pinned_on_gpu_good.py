# Memory of the host is pinned, before it is copied to a GPU.
import torch

batch = torch.rand(4)
print(batch.pin_memory().cuda().shape)
