# DataParallel cannot gather the dataclass that the wrapped encoder returns.
# raises: TypeError: 'EncoderOutput' object is not iterable
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class EncoderOutput:
    last_hidden_state: torch.Tensor
    pooled: torch.Tensor
    attentions: Optional[torch.Tensor] = None


class Encoder(nn.Module):
    def __init__(self, features=10, hidden=24):
        super().__init__()
        self.inp = nn.Linear(features, hidden)
        self.attn = nn.MultiheadAttention(hidden, 4, batch_first=True)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, x):
        h = self.inp(x)
        a, w = self.attn(h, h, h)
        h = self.norm(h + a)
        return EncoderOutput(last_hidden_state=h, pooled=h.mean(1), attentions=w)


class ContrastiveStep:
    def __init__(self, encoder, temperature=0.1):
        self.encoder = encoder
        self.temperature = temperature

    def __call__(self, left, right):
        a = F.normalize(self.encode(left), dim=-1)
        b = F.normalize(self.encode(right), dim=-1)
        logits = a @ b.t() / self.temperature
        target = torch.arange(len(a), device=logits.device)
        return F.cross_entropy(logits, target)

    def encode(self, x):
        out = self.encoder(x)  # raises
        return out.pooled


def augment(x, generator):
    return x + 0.05 * torch.randn(x.shape, generator=generator)


def main():
    g = torch.Generator().manual_seed(11)
    base = torch.randn(12, 6, 10, generator=g)
    encoder = Encoder().cuda()

    # works before it is wrapped
    single = ContrastiveStep(encoder)
    print("one gpu:", single(base.cuda(), augment(base, g).cuda()).item())

    encoder = nn.DataParallel(encoder)
    step = ContrastiveStep(encoder)
    optim = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        loss = step(base.cuda(), augment(base, g).cuda())
        optim.zero_grad(set_to_none=True)
        loss.backward()
        optim.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
