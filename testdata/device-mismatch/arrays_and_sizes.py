"""Tensors of arrays, of lists and of sizes that are spread out stay on the CPU."""
import numpy as np
import torch
from torch import nn


def weighted(losses, weights):
    return losses * torch.from_numpy(weights)  # expect: device-mismatch


def masked(rewards, done):
    masks = torch.FloatTensor([[0.0] if each else [1.0] for each in done])
    return rewards * masks  # expect: device-mismatch


def stored(count, shape):
    memory = torch.zeros(count, *shape)
    return memory + torch.ones(*shape, device="cuda")  # expect: device-mismatch


def slopes_of(critic, images):
    scores = critic(images.requires_grad_(True))
    weights = torch.ones(scores.size())
    return torch.autograd.grad(scores, images, grad_outputs=weights)  # expect: device-mismatch


def penalty(critic, images):
    images.requires_grad_(True)
    slopes = torch.autograd.grad(critic(images).sum(), images, create_graph=True)[0]
    return slopes * torch.rand(2, 4)  # expect: device-mismatch


def placed(options):
    net = nn.Linear(4, 4).to(options.get("device", "cuda"))
    return net(torch.ones(2, 4))  # expect: device-mismatch


def with_known_weights():
    return weighted(torch.ones(3, 2, device="cuda"), np.ones((3, 2), dtype=np.float32))


for run in (with_known_weights,
            lambda: masked(torch.ones(2, 1).cuda(), [True, False]),
            lambda: stored(3, (2, 2)),
            lambda: slopes_of(nn.Linear(4, 1).cuda(), torch.rand(2, 4).cuda()),
            lambda: penalty(nn.Linear(4, 1).cuda(), torch.rand(2, 4).cuda()),
            lambda: placed({"width": 4})):
    run()
