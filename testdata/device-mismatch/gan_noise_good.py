# The noise is made where the generator is.
import torch
from torch import nn

LATENT = 6
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class Generator(nn.Module):
    def __init__(self):
        super().__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(*block(LATENT, 8, normalize=False), *block(8, 8), nn.Linear(8, 4), nn.Tanh())

    def forward(self, z):
        return self.model(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())

    def forward(self, img):
        return self.model(img)


generator, discriminator = Generator().to(device), Discriminator().to(device)
adversarial_loss = nn.BCELoss()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.0002)
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=0.0002)

for i in range(2):
    real = torch.randn(4, 4, device=device)
    valid = torch.ones(4, 1, device=device)
    fake = torch.zeros(real.size(0), 1, device=device)
    optimizer_G.zero_grad()
    z = torch.randn(real.shape[0], LATENT, device=device)
    gen = generator(z)
    g_loss = adversarial_loss(discriminator(gen), valid)
    g_loss.backward()
    optimizer_G.step()
    optimizer_D.zero_grad()
    d_loss = (adversarial_loss(discriminator(real), valid) + adversarial_loss(discriminator(gen.detach()), fake)) / 2
    d_loss.backward()
    optimizer_D.step()
