# the latent codes are moved to the GPU after requires_grad: the optimizer gets a non-leaf
# raises: ValueError: can't optimize a non-leaf Tensor
import torch
import torch.nn as nn


class LatentFitter:
    def __init__(self, decoder, n, d, device):
        self.decoder = decoder.to(device).requires_grad_(False)
        self.codes = torch.zeros(n, d, requires_grad=True).to(device)
        self.opt = torch.optim.Adam([self.codes], lr=0.05)  # raises

    def fit(self, target, steps):
        for _ in range(steps):
            self.opt.zero_grad()
            loss = (self.decoder(self.codes) - target).pow(2).mean()
            loss.backward()
            self.opt.step()
        return loss.item()


torch.manual_seed(0)
decoder = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 10))
fitter = LatentFitter(decoder, 6, 4, "cuda:0")  # raises
print(fitter.fit(torch.randn(6, 10, device="cuda:0"), 5))
