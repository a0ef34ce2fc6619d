# The generator of the host is taken from a table.
import torch


class Generators:
    def __init__(self, seed):
        self.seed, self.made = seed, {}

    def on(self, device):
        device = torch.device(device)
        if device not in self.made:
            generator = torch.Generator(device=device)
            generator.manual_seed(self.seed + len(self.made))
            self.made[device] = generator
        return self.made[device]

    def like(self, x):
        return self.on(x.device)


generators = Generators(11)
for i in range(min(torch.cuda.device_count(), 2)):
    device = torch.device("cuda", i)
    x = torch.rand(3, generator=generators.on("cpu")).to(device)
    torch.randn(x.shape, generator=generators.on("cpu"), device=x.device)  # expect: generator-device
