# torch.func on the GPU.
# runs
import torch
from torch.func import functional_call, grad, vmap

net = torch.nn.Linear(3, 1).cuda()
parameters = dict(net.named_parameters())


def loss(parameters, x):
    return functional_call(net, parameters, (x,)).square().sum()


x = torch.randn(5, 3, device="cuda")
each = vmap(grad(loss), in_dims=(None, 0))(parameters, x)
assert each["weight"].shape == (5, 1, 3) and each["weight"].is_cuda
