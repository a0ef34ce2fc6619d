# The averaged copy of the parameters is kept on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

net = torch.nn.Linear(4, 2)
average = [p.detach().clone() for p in net.parameters()]
net.cuda()
with torch.no_grad():
    for a, p in zip(average, net.parameters()):
        a.mul_(0.9).add_(p, alpha=0.1)  # raises
