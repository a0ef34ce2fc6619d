# Layers of a ModuleDict are called as attributes, on one device.
import torch
from torch import nn


class Decoder(nn.Module):

    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"tokens": nn.Embedding(10, 4), "places": nn.Embedding(8, 4)})
        self.head = nn.Linear(4, 10)

    def forward(self, tokens):
        places = torch.arange(tokens.size(1), device=tokens.device)
        return self.head(self.parts.tokens(tokens) + self.parts.places(places))


tokens = torch.zeros(2, 4, dtype=torch.long)
print(Decoder().cuda()(tokens.cuda()).sum() + Decoder()(tokens).sum().item())
