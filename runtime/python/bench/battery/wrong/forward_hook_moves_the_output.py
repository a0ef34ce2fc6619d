# A hook that was to log activations returns them from the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device
import torch

net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)).cuda()
net[0].register_forward_hook(lambda module, inputs, output: output.cpu())
net(torch.ones(1, 2).cuda())  # raises
