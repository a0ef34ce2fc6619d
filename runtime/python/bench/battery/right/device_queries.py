# Names, capabilities, properties and memory of every GPU.
# runs
import torch

assert torch.cuda.is_available() and torch.cuda.device_count() == 2
for i in range(2):
    properties = torch.cuda.get_device_properties(i)
    assert properties.name == torch.cuda.get_device_name(i) and properties.total_memory > 0
    assert torch.cuda.get_device_capability(i) == (properties.major, properties.minor)
    free, total = torch.cuda.mem_get_info(i)
    assert 0 < free <= total
torch.cuda.synchronize()
torch.cuda.empty_cache()
assert torch.version.cuda is None or torch.backends.cudnn.is_available() in (True, False)
