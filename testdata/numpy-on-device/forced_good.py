# numpy(force=True) copies to the host first.
import torch

x = torch.ones(3, device="cuda", requires_grad=True)
print((x * 2).numpy(force=True))
