# Only memory of the host is pinned.
# runs
import torch

x = torch.ones(4).pin_memory()
assert x.is_pinned() and not torch.ones(4).is_pinned()
y = x.to("cuda", non_blocking=True)
torch.cuda.synchronize()
assert y.sum().item() == 4 and torch.empty(3, pin_memory=True).is_pinned()
