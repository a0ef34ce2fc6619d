# The allocator's numbers follow allocations, frees and peaks on each GPU.
# runs
import gc

import torch


class PeakMeter:
    def __init__(self, device):
        self.device = device

    def __enter__(self):
        torch.cuda.reset_peak_memory_stats(self.device)
        self.before = torch.cuda.memory_allocated(self.device)
        return self

    def __exit__(self, *exc):
        self.peak = torch.cuda.max_memory_allocated(self.device) - self.before
        self.left = torch.cuda.memory_allocated(self.device) - self.before


MIB = 2 ** 20
assert torch.cuda.memory_allocated(0) == 0 and torch.cuda.memory_allocated(1) == 0
a = torch.empty(MIB, dtype=torch.uint8, device="cuda:0")
assert torch.cuda.memory_allocated(0) == MIB and torch.cuda.memory_allocated(1) == 0
b = torch.empty(3, dtype=torch.uint8, device="cuda:1")
assert torch.cuda.memory_allocated(1) == 512
assert torch.cuda.memory_reserved(1) == 2 * MIB
c = torch.empty(1000, device="cuda:1")
assert torch.cuda.memory_allocated(1) == 512 + 4096
view = c[10:]
del c
assert torch.cuda.memory_allocated(1) == 512 + 4096
del view
gc.collect()
assert torch.cuda.memory_allocated(1) == 512

with PeakMeter("cuda:0") as meter:
    big = torch.zeros(4 * MIB, device="cuda:0")
    copy = big.clone()
    del big
    copy.add_(1)
assert meter.peak == 32 * MIB and meter.left == 16 * MIB
stats = torch.cuda.memory_stats("cuda:0")
assert stats["allocated_bytes.all.current"] == 17 * MIB
assert stats["allocated_bytes.all.peak"] == 33 * MIB
assert stats["num_ooms"] == 0 and stats["num_alloc_retries"] == 0
assert torch.cuda.memory_reserved(0) >= 33 * MIB
del copy
torch.cuda.empty_cache()
assert torch.cuda.memory_reserved(0) == 2 * MIB
assert torch.cuda.max_memory_allocated(0) == 33 * MIB
free, total = torch.cuda.mem_get_info(0)
assert 0 < free <= total and abs(total / torch.cuda.get_device_properties(0).total_memory - 1) < 0.1
assert "allocated" in torch.cuda.memory_summary(0).lower()
assert sum(s["allocated_size"] for s in torch.cuda.memory_snapshot() if s["device"] == 0) == MIB
