# A diffusion sampler draws its noise on the GPU from a generator of the CPU.
# raises: RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'
import torch


class NoiseSchedule:
    def __init__(self, steps, device):
        beta = torch.linspace(1e-4, 0.02, steps, device=device)
        self.alpha_bar = torch.cumprod(1 - beta, dim=0)

    def add_noise(self, x, t, noise):
        a = self.alpha_bar[t].view(-1, 1, 1, 1)
        return a.sqrt() * x + (1 - a).sqrt() * noise


def draw(shape, generator, device):
    return torch.randn(shape, generator=generator, device=device)  # raises


device = "cuda:0"
schedule = NoiseSchedule(50, device)
generator = torch.Generator().manual_seed(1234)
images = torch.zeros(4, 3, 8, 8, device=device)
t = torch.tensor([0, 10, 20, 49], device=device)
noisy = schedule.add_noise(images, t, draw(images.shape, generator, device))
print(noisy.std(dim=(1, 2, 3)))
