# A gradient that was averaged on the CPU is given to a parameter of the GPU.
# raises: RuntimeError: attempting to assign a gradient with device type 'cpu' to a tensor with device type 'cuda'
# raises: RuntimeError: assigned grad has data of a different type
import torch

net = torch.nn.Linear(2, 2).cuda()
net.weight.grad = torch.ones(2, 2)  # raises
