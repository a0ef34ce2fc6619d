# A machine with two GPUs, three are asked for.
# raises: AssertionError: Invalid device id
import torch

net = torch.nn.Linear(4, 2).cuda()
torch.nn.DataParallel(net, device_ids=[0, 1, 2])  # raises
