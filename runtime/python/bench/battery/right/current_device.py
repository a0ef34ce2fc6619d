# Contexts change the current device and restore it.
# runs
import torch

assert torch.cuda.current_device() == 0
with torch.cuda.device(1):
    assert torch.ones(1, device="cuda").get_device() == 1
    with torch.cuda.device_of(torch.ones(1, device="cuda:0")):
        assert torch.cuda.current_device() == 0
    assert torch.cuda.current_device() == 1
assert torch.ones(1).cuda().get_device() == 0
torch.cuda.set_device("cuda:1")
assert torch.zeros(1).cuda().device == torch.device("cuda:1")
