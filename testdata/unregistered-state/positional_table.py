# The table of positions is a plain attribute, which does not move.
import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=16):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.pe = pe  # expect: unregistered-state

    def forward(self, x):
        return x + self.pe[: x.size(0)]


class TransformerModel(nn.Module):
    def __init__(self, d_model=8):
        super().__init__()
        self.pos_encoder = PositionalEncoding(d_model)
        layer = nn.TransformerEncoderLayer(d_model, 2, 16)
        self.encoder = nn.TransformerEncoder(layer, 1)

    def forward(self, src):
        return self.encoder(self.pos_encoder(src))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = TransformerModel().to(device)
model(torch.randn(5, 2, 8, device=device)).mean().backward()
