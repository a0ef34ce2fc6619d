# Work on a side stream, timed by events.
# runs
import torch

side = torch.cuda.Stream()
x = torch.ones(1000, device="cuda")
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    start.record()
    y = x * 2
    end.record()
y.record_stream(torch.cuda.current_stream())
torch.cuda.current_stream().wait_stream(side)
end.synchronize()
assert y.sum().item() == 2000 and start.elapsed_time(end) >= 0 and side.query()
assert torch.cuda.current_stream() != side
