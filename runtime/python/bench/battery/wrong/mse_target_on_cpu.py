# A regression target is built on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch
import torch.nn.functional as F

net = torch.nn.Linear(4, 1).cuda()
output = net(torch.randn(8, 4).cuda())
F.mse_loss(output, torch.zeros(8, 1))  # raises
