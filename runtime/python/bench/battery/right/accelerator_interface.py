# The interface that does not name CUDA.
# needs: torch>=2.6
# runs
import torch

assert torch.accelerator.is_available() and torch.accelerator.device_count() == 2
assert torch.accelerator.current_accelerator().type == "cuda"
torch.accelerator.synchronize()
stream = torch.Stream(device="cuda:0")
events = [torch.Event(device="cuda:0", enable_timing=True) for _ in range(2)]
for event in events:
    event.record(stream)
events[1].synchronize()
assert events[0].elapsed_time(events[1]) >= 0
if hasattr(torch.accelerator, "memory_allocated"):
    x = torch.ones(1024, device="cuda")
    assert torch.accelerator.memory_allocated() >= 4096
    torch.accelerator.reset_peak_memory_stats()
    assert torch.accelerator.memory_stats()
    torch.accelerator.empty_cache()
