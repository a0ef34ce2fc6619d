# The frequencies are made where the steps are; a number may be on the CPU.
import torch


def embedding(steps, half):
    frequencies = torch.exp(-torch.arange(half, dtype=torch.float32, device=steps.device) / half)
    return steps[:, None].float() * frequencies[None]


embedding(torch.arange(4, device="cuda"), 2) * torch.tensor(2.0)
