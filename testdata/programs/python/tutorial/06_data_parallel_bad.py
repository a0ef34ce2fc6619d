# The wrapped model is on cuda:2, the first of device_ids is 1.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:1 (device_ids[0]) but found one of them on device: cuda:2
import torch

net = torch.nn.DataParallel(torch.nn.Linear(10, 3), device_ids=[1, 3])
net.to("cuda:2")
net(torch.randn(16, 10))  # expect: data-parallel-placement  # raises
