# Flags of the backends are set and read.
# runs
import torch

torch.backends.cudnn.benchmark = True
torch.backends.cudnn.deterministic = True
torch.backends.cuda.matmul.allow_tf32 = False
with torch.backends.cudnn.flags(enabled=False):
    torch.nn.Conv2d(1, 1, 3).cuda()(torch.randn(1, 1, 5, 5).cuda()).sum().backward()
assert torch.backends.cudnn.benchmark
