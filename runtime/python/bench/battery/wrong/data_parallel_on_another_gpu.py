# The model is on cuda:1, the first of device_ids is 0.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 2).to("cuda:1"))
net(torch.randn(8, 4))  # raises
