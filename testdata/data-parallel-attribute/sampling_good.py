# Samples are drawn from the decoder inside.
import argparse

import torch
import torch.nn as nn


class VAE(nn.Module):
    def __init__(self, latent_dim):
        super().__init__()
        self.latent_dim = latent_dim
        self.enc = nn.Linear(6, latent_dim)
        self.dec = nn.Linear(latent_dim, 6)

    def forward(self, x):
        return self.dec(self.enc(x))

    def sample(self, n, device):
        return self.dec(torch.randn(n, self.latent_dim, device=device))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--latent", type=int, default=2)
    args = parser.parse_args()
    vae = nn.DataParallel(VAE(args.latent)).cuda()
    vae(torch.randn(4, 6).cuda())
    images = vae.module.sample(3, "cuda")
    print(images.shape)


if __name__ == "__main__":
    main()
