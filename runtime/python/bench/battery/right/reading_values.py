# item(), tolist(), bool(), int(), printing: values of the GPU are read.
# runs
import torch

x = torch.tensor([1.0, 2.0], device="cuda:1")
assert x.sum().item() == 3 and x.tolist() == [1, 2] and bool(x[0] == 1) and int(x[1]) == 2
assert "device='cuda:1'" in repr(x)
assert f"{x.mean():.1f}" == "1.5"
