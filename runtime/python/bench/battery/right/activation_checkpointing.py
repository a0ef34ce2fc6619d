# A block is computed again in the backward pass, with the same dropout.
# runs
import torch
from torch.utils.checkpoint import checkpoint

block = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.Dropout(0.5), torch.nn.Linear(16, 4))
block.cuda()
x = torch.randn(3, 4, device="cuda", requires_grad=True)
checkpoint(block, x, use_reentrant=False).sum().backward()
assert x.grad.is_cuda
checkpoint(block, x, use_reentrant=True).sum().backward()
