"""Tensors of arrays, of lists and of sizes that are spread out, moved where they are used."""
import numpy as np
import torch
from torch import nn


def stored(count, shape, **options):
    memory = torch.zeros(count, *shape, **options)
    return memory + torch.ones(*shape, device="cuda")


def placed(options):
    device = options.get("device", "cpu")
    net = nn.Linear(4, 4).to(device)
    return net(torch.ones(2, 4, device=device))


losses = torch.ones(3, 2, device="cuda")
losses * torch.from_numpy(np.ones((3, 2), dtype=np.float32)).to(losses.device)
torch.from_numpy(np.ones(3)) + torch.ones(3)
torch.FloatTensor([1.0, 2.0]) + torch.ones(2)
stored(3, (2, 2), device="cuda")
images = torch.rand(2, 4).cuda().requires_grad_(True)
slopes = torch.autograd.grad(nn.Linear(4, 1).cuda()(images).sum(), images)[0]
slopes * torch.rand(2, 4).cuda()
placed({"width": 4})
placed({"device": "cuda"})
