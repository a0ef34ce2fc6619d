# Results come back to the CPU for numpy, and go again.
# runs
import numpy
import torch

x = torch.randn(4, device="cuda", requires_grad=True)
array = x.detach().cpu().numpy()
assert numpy.allclose(torch.from_numpy(array).cuda().tolist(), x.tolist())
