# A data set is split by numbers that are drawn on the CPU.
import torch
from torch.utils.data import TensorDataset, random_split

device = torch.device("cuda")
generator = torch.Generator(device=device)
generator.manual_seed(42)
examples = TensorDataset(torch.randn(8, 4))
train, test = random_split(examples, [6, 2], generator=generator)  # expect: generator-device
