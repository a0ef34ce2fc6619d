# Work on side streams of two GPUs is ordered with events and ends with the same numbers as plain code.
# runs
import torch


class Prefetcher:
    def __init__(self, batches, device):
        self.batches, self.device = iter(batches), torch.device(device)
        self.stream = torch.cuda.Stream(self.device)
        self.advance()

    def advance(self):
        batch = next(self.batches, None)
        if batch is None:
            self.batch = None
            return
        with torch.cuda.stream(self.stream):
            self.batch = batch.pin_memory().to(self.device, non_blocking=True).mul_(2)

    def __iter__(self):
        while self.batch is not None:
            current = torch.cuda.current_stream(self.device)
            current.wait_stream(self.stream)
            batch = self.batch
            batch.record_stream(current)
            self.advance()
            yield batch


torch.manual_seed(20)
batches = [torch.randn(4, 3) for _ in range(5)]
for device in ("cuda:0", "cuda:1"):
    total = torch.zeros(3, device=device)
    for batch in Prefetcher(batches, device):
        total += batch.sum(dim=0)
    assert torch.allclose(total.cpu(), 2 * torch.cat(batches).sum(dim=0), atol=1e-4)

default = torch.cuda.default_stream("cuda:0")
side = torch.cuda.Stream("cuda:0", priority=-1)
assert torch.cuda.current_stream("cuda:0") == default and side != default
assert side.device == torch.device("cuda:0") and side.device_index == 0
event = torch.cuda.Event(enable_timing=True)
with torch.cuda.stream(side):
    assert torch.cuda.current_stream() == side
    x = torch.full((1000,), 3.0, device="cuda:0").cumsum(0)
    event.record()
assert torch.cuda.current_stream() == default
default.wait_event(event)
y = x[-1] + 1
event.synchronize()
side.synchronize()
assert event.query() and side.query()
assert y.item() == 3001.0
end = torch.cuda.Event(enable_timing=True)
end.record()
end.synchronize()
assert isinstance(event.elapsed_time(end), float)
with torch.cuda.stream(torch.cuda.Stream("cuda:1")):
    assert torch.cuda.current_device() == 1
assert torch.cuda.current_device() == 0
