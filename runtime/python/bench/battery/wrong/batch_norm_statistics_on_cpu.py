# Running statistics are re-made on the CPU after the move.
# raises: RuntimeError: Expected all tensors to be on the same device, but ... running_mean
import torch

norm = torch.nn.BatchNorm1d(4).cuda()
norm.running_mean = torch.zeros(4)
norm(torch.randn(8, 4, device="cuda"))  # raises
