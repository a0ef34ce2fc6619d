# Streams of both priorities, and on the other GPU.
# runs
import torch

high, other = torch.cuda.Stream(priority=-1), torch.cuda.Stream(device="cuda:1")
assert high.priority == -1 and other.priority == 0 and other.device.index == 1
with torch.cuda.stream(other):
    assert torch.cuda.current_device() == 1
    x = torch.ones(3, device="cuda")
    event = torch.cuda.Event()
    event.record()
high.wait_event(event)
assert x.device.index == 1 and torch.cuda.current_device() == 0
