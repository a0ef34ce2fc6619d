# A parameter on the GPU is filled with numbers of the CPU's generator.
import torch

weight = torch.empty(4, 4, device="cuda")
generator = torch.manual_seed(0)
weight.uniform_(-1, 1, generator=generator)  # expect: generator-device
