# The torch.cuda interface: counts, names, properties, current device and nested device contexts.
# runs
import threading

import torch

assert torch.cuda.is_available() and torch.version.cuda is not None
assert torch.cuda.device_count() == 2
assert torch.cuda.current_device() == 0 and torch.cuda.is_initialized()

names = [torch.cuda.get_device_name(i) for i in range(2)]
assert all(isinstance(n, str) and n for n in names)
for i in range(2):
    props = torch.cuda.get_device_properties(torch.device("cuda", i))
    assert props.name == names[i]
    assert (props.major, props.minor) == torch.cuda.get_device_capability(i)
    assert props.total_memory > 2 ** 30 and props.multi_processor_count > 0

with torch.cuda.device(1):
    assert torch.cuda.current_device() == 1
    a = torch.zeros(2, device="cuda")
    b = torch.zeros(2).cuda()
    with torch.cuda.device("cuda:0"):
        c = torch.ones(1, device="cuda")
        with torch.cuda.device(-1):
            d = torch.ones(1, device="cuda")
    with torch.cuda.device_of(c):
        e = torch.ones(1, device="cuda")
    f = torch.empty_like(c)
assert [t.get_device() for t in (a, b, c, d, e, f)] == [1, 1, 0, 0, 0, 0]
assert torch.cuda.current_device() == 0

torch.cuda.set_device(1)
seen = {}


def worker():
    seen["start"] = torch.cuda.current_device()
    torch.cuda.set_device(1)
    seen["tensor"] = torch.ones(3, device="cuda").sum()


torch.cuda.set_device(1)
thread = threading.Thread(target=worker)
thread.start()
thread.join()
assert seen["start"] == 0 and seen["tensor"].device == torch.device("cuda:1")
assert torch.cuda.current_device() == 1
torch.cuda.set_device("cuda:0")
try:
    with torch.cuda.device(1):
        raise KeyError("leave")
except KeyError:
    pass
assert torch.cuda.current_device() == 0
with torch.device("cuda:1"):
    g = torch.arange(3)
    h = torch.nn.Linear(2, 2)
assert g.get_device() == 1 and h.weight.get_device() == 1
torch.set_default_device("cuda:1")
assert torch.rand(2).get_device() == 1 and torch.get_default_device() == torch.device("cuda:1")
torch.set_default_device(None)
assert torch.rand(2).device.type == "cpu"
for device in (None, 1, "cuda:0", torch.device("cuda")):
    torch.cuda.synchronize(device)
