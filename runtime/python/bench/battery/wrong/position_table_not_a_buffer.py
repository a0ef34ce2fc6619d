# A transformer's position table is a plain attribute, so .cuda() leaves it behind.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len=64):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        scale = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(max_len, dim)
        table[:, 0::2] = torch.sin(position * scale)
        table[:, 1::2] = torch.cos(position * scale)
        self.table = table

    def forward(self, x):
        return x + self.table[: x.size(1)]  # raises


class Tagger(nn.Module):
    def __init__(self, vocab=50, dim=16, tags=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.position = PositionalEncoding(dim)
        self.encoder = nn.TransformerEncoderLayer(dim, 2, 32, batch_first=True)
        self.head = nn.Linear(dim, tags)

    def forward(self, ids):
        return self.head(self.encoder(self.position(self.embed(ids))))


model = Tagger().cuda()
ids = torch.randint(0, 50, (3, 10), device="cuda")
print(model(ids).shape)
