# The wrapped model was never moved.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu
import torch

net = torch.nn.DataParallel(torch.nn.Linear(10, 3), device_ids=[0, 1])
net(torch.randn(16, 10).cuda())  # expect: data-parallel-placement  # raises
