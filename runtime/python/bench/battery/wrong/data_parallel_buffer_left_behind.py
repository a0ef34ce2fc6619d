# One buffer is assigned after the move.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu
import torch

net = torch.nn.Linear(4, 2).cuda()
net.register_buffer("mean", torch.zeros(2))
wrapped = torch.nn.DataParallel(net)
wrapped(torch.randn(8, 4).cuda())  # raises
