# A gradient penalty mixes real and generated examples by numbers of its own.
import torch
from torch import nn


def penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1).expand_as(real)
    mixed = alpha * real + (1 - alpha) * fake  # expect: device-mismatch
    return critic(mixed).mean()


critic = nn.Linear(2, 1).to("cuda:0")
real = torch.randn(8, 2).to("cuda:0")
print(penalty(critic, real, torch.randn_like(real)).item())
