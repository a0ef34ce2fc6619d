# Memory of the host is pinned, before it is copied to a GPU.
import torch

batch = torch.rand(4).cuda()
print(batch.pin_memory().shape)  # expect: device-mismatch
