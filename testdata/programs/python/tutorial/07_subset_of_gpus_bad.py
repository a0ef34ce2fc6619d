# Model and data are on cuda:0, the GPUs chosen are 2 and 3.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:2 (device_ids[0]) but found one of them on device: cuda:0
import torch

net = torch.nn.Linear(4, 2).cuda()
batch = torch.randn(8, 4).cuda()
net = torch.nn.DataParallel(net, device_ids=[2, 3])
net(batch)  # expect: data-parallel-placement  # raises
