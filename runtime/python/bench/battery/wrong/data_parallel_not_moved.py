# The wrapped model is still on the CPU.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 2), device_ids=[0, 1])
net(torch.randn(8, 4, device="cuda:0"))  # raises
