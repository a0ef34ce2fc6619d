# A generator for each device, made when it is asked for.
import torch


class Noise:
    def __init__(self):
        self.generators = {}

    def generator(self, device):
        if device not in self.generators:
            self.generators[device] = torch.Generator(device=device)
        return self.generators[device]

    def like(self, x):
        return torch.empty(x.shape, device=x.device).normal_(generator=self.generator(x.device))


noise = Noise()
x = torch.zeros(4, 3)
print(noise.like(x).mean().item(), noise.like(x.to("cuda:1")).mean().item())
