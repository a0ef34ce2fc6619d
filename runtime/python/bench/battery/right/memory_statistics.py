# Allocated memory grows with tensors and shrinks without them.
# runs
import torch

before = torch.cuda.memory_allocated()
x = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
assert torch.cuda.memory_allocated() - before >= 1 << 20
assert torch.cuda.memory_allocated(1) == 0
del x
assert torch.cuda.memory_allocated() == before
assert torch.cuda.max_memory_allocated() >= before + (1 << 20)
torch.cuda.reset_peak_memory_stats()
assert torch.cuda.max_memory_allocated() == before
assert "allocated_bytes.all.current" in torch.cuda.memory_stats()
assert torch.cuda.memory_reserved() >= torch.cuda.memory_allocated()
assert isinstance(torch.cuda.memory_summary(), str)
