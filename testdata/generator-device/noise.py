# The noise is made on the GPU with a generator of the CPU.
import torch


def make_noise(count, device, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, 8, device=device, generator=generator)  # expect: generator-device


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
network = torch.nn.Linear(8, 2).to(device)
network(make_noise(4, device, 0))
