# A loader draws its order, and the seeds of its workers, on the CPU.
import torch
from torch.utils.data import DataLoader, TensorDataset


def seeded(seed, device=None):
    generator = torch.Generator(device=device) if device is not None else torch.Generator()
    return generator.manual_seed(seed)


data = TensorDataset(torch.rand(8, 3))
for (x,) in DataLoader(data, batch_size=4, shuffle=True, generator=seeded(3, "cuda")):  # expect: generator-device
    print(x)
