# Inside torch.device("cuda") the frequencies come from torch.from_numpy, which the device context does not move.
# raises: RuntimeError: Expected all tensors to be on the same device
import numpy as np
import torch
import torch.nn as nn


def rotary_frequencies(dim, base=10000.0):
    exponent = np.arange(0, dim, 2, dtype=np.float32) / dim
    return torch.from_numpy((base**-exponent).astype(np.float32))


class Rotary(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.inv_freq = rotary_frequencies(dim)
        self.cache = {}

    def angles(self, length):
        if length not in self.cache:
            t = torch.arange(length, dtype=torch.float32)
            phase = t[:, None] * self.inv_freq[None, :]  # raises
            self.cache[length] = (phase.cos(), phase.sin())
        return self.cache[length]

    def forward(self, x):
        cos, sin = self.angles(x.size(-2))
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


class RotaryAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))
        self.rotary = Rotary(width // heads)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.rotary(self.split(self.q(x))), self.rotary(self.split(self.k(x))), self.split(self.v(x))
        out = nn.functional.scaled_dot_product_attention(q, k, v)
        return out.transpose(1, 2).flatten(2)


class Experiment:
    def __init__(self, device):
        self.device = torch.device(device)

    def run(self, steps=3):
        with self.device:
            torch.manual_seed(0)
            model = RotaryAttention(16, 2)
            head = nn.Linear(16, 1)
            params = [*model.parameters(), *head.parameters()]
            optimizer = torch.optim.AdamW(params, lr=1e-3)
            for _ in range(steps):
                x = torch.randn(4, 6, 16)
                loss = (head(model(x)) - x.mean(-1, keepdim=True)).square().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return loss.item()


if __name__ == "__main__":
    for device in ("cpu", "cuda:1"):
        print(device, Experiment(device).run())
