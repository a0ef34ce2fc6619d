# A gradient computed on the CPU is assigned to a parameter on the GPU.
# raises: RuntimeError: attempting to assign a gradient with device type 'cpu' to a tensor with device type 'cuda'
import torch

net = torch.nn.Linear(4, 1).cuda()
net.weight.grad = torch.zeros(1, 4)  # raises
