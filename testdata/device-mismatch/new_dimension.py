# An index of None adds a dimension: what it yields is no number that may be on the CPU.
import torch


def embedding(steps, half):
    frequencies = torch.exp(-torch.arange(half, dtype=torch.float32) / half)
    return steps[:, None].float() * frequencies[None]  # expect: device-mismatch


embedding(torch.arange(4, device="cuda"), 2)
