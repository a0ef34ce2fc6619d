# WGAN-GP with a GRU critic: the gradient penalty needs a double backward that cuDNN RNNs do not have.
# raises: NotImplementedError: Double backwards is not supported for CuDNN RNNs
# raises: RuntimeError: Double backwards is not supported for CuDNN RNNs
import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, latent=6, hidden=16, channels=2, steps=8):
        super().__init__()
        self.steps, self.channels = steps, channels
        self.net = nn.Sequential(
            nn.Linear(latent, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, steps * channels)
        )

    def forward(self, z):
        return self.net(z).view(-1, self.steps, self.channels)


class Critic(nn.Module):
    def __init__(self, channels=2, hidden=12):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        _, last = self.rnn(x)
        return self.head(last[-1]).squeeze(-1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1, 1, device=real.device)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    (grad,) = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


def critic_step(critic, generator, real, optimizer, weight=10.0):
    z = torch.randn(len(real), 6, device=real.device)
    fake = generator(z).detach()
    wasserstein = critic(fake).mean() - critic(real).mean()
    loss = wasserstein + weight * gradient_penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()
    return loss.item()


def generator_step(critic, generator, n, optimizer):
    loss = -critic(generator(torch.randn(n, 6, device="cuda"))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    generator, critic = Generator().cuda(), Critic().cuda()
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    real = torch.sin(torch.linspace(0, 6, 8, device="cuda"))[None, :, None].expand(16, 8, 2)
    for step in range(3):
        c = critic_step(critic, generator, real, opt_c)
        g = generator_step(critic, generator, 16, opt_g)
        print(step, c, g)


main()
