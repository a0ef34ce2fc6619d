# copy_() and assignment to a slice carry values from one device to another.
# runs
import torch

buffer = torch.zeros(2, 3, device="cuda:1")
buffer[0] = torch.ones(3)
buffer[1].copy_(torch.full((3,), 2.0, device="cuda:0"))
assert buffer.sum().item() == 9
