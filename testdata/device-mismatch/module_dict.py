# Layers of a ModuleDict are called as attributes, with a batch on the CPU.
import torch
from torch import nn


class Decoder(nn.Module):

    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"tokens": nn.Embedding(10, 4), "places": nn.Embedding(8, 4)})
        self.head = nn.Linear(4, 10)

    def forward(self, tokens):
        return self.head(self.parts.tokens(tokens))


tokens = torch.zeros(2, 4, dtype=torch.long)
print(Decoder().cuda()(tokens))  # expect: device-mismatch
