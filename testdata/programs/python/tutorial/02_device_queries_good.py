# What a program can ask about its GPUs, and their seeds.
# runs
import torch

assert torch.cuda.is_available() and torch.cuda.device_count() == 4
assert torch.cuda.current_device() == 0
torch.cuda.set_device(2)
assert torch.cuda.current_device() == 2
for i in range(torch.cuda.device_count()):
    assert torch.cuda.get_device_name(i)
    major, minor = torch.cuda.get_device_capability(i)
    assert major >= 3 and minor >= 0
torch.cuda.manual_seed(1)
assert torch.cuda.initial_seed() == 1
torch.cuda.manual_seed_all(2)
drawn = [torch.rand(2, device=f"cuda:{i}").tolist() for i in range(4)]
torch.cuda.manual_seed_all(2)
assert drawn == [torch.rand(2, device=f"cuda:{i}").tolist() for i in range(4)]
torch.cuda.seed()
torch.cuda.seed_all()
