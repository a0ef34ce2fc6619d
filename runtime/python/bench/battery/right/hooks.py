# Hooks on modules and tensors see tensors of the GPU.
# runs
import torch

seen = []
net = torch.nn.Linear(4, 2).cuda()
net.register_forward_hook(lambda module, inputs, output: seen.append(output.device.type))
net.weight.register_hook(lambda gradient: seen.append(gradient.device.type))
net(torch.randn(3, 4).cuda()).sum().backward()
assert seen == ["cuda", "cuda"]
