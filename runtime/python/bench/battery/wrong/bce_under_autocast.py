# Probabilities and BCELoss are used inside CUDA autocast.
# raises: RuntimeError: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.
import torch
from torch import nn


class Discriminator(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())

    def forward(self, x):
        return self.net(x).squeeze(1)


def discriminator_loss(net, criterion, real, fake):
    with torch.autocast("cuda", dtype=torch.float16):
        p_real, p_fake = net(real), net(fake)
        loss_real = criterion(p_real, torch.ones_like(p_real))  # raises
        loss_fake = criterion(p_fake, torch.zeros_like(p_fake))
    return loss_real + loss_fake


device = torch.device("cuda:0")
net = Discriminator(10).to(device)
real = torch.randn(16, 10, device=device) + 1
fake = torch.randn(16, 10, device=device) - 1
print(discriminator_loss(net, nn.BCELoss(), real, fake).item())
