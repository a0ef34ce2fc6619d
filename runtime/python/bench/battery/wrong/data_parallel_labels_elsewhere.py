# The output is on output_device, the labels are on the first GPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got target is on cuda:0, different from other tensors on cuda:1
# raises: RuntimeError: two devices, cuda:1 and cuda:0! (when checking argument for argument target in method wrapper
import torch
import torch.nn.functional as F

net = torch.nn.DataParallel(torch.nn.Linear(4, 3).cuda(), device_ids=[0, 1], output_device=1)
labels = torch.randint(3, (8,)).cuda()
output = net(torch.randn(8, 4).cuda())
F.cross_entropy(output, labels)  # raises
