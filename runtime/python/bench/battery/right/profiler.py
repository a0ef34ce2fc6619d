# The profiler records a step.
# runs
import torch
from torch.profiler import profile

net = torch.nn.Linear(4, 2).cuda()
with profile() as recorded:
    net(torch.randn(3, 4).cuda()).sum().backward()
assert any("addmm" in event.key for event in recorded.key_averages())
torch.cuda.nvtx.range_push("step")
torch.cuda.nvtx.range_pop()
