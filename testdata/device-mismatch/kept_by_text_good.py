# Tables are kept under a text that names the length and the device.
import torch
import torch.nn as nn


class Positions(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.kept = {}

    @staticmethod
    def key(length, like):
        return "{}/{}".format(length, like.device)

    def forward(self, x):
        key = self.key(x.size(1), x)
        if key not in self.kept:
            self.kept[key] = torch.zeros(x.size(1), self.width).to(x)
        return x + self.kept[key]


model = nn.Sequential(nn.Linear(4, 4), Positions(4))
print(model(torch.randn(2, 3, 4)).sum())
for device in ("cuda:0", "cuda:1"):
    model.to(device)
    print(model(torch.randn(2, 5, 4, device=device)).sum())
