# The arguments of a forward are given by name in another order, left to their defaults, or spread: all are
# where the module is.
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x, targets=None, scale=1.0):
        logits = self.layer(x) * scale
        if targets is None:
            return logits
        return nn.functional.mse_loss(logits, targets)


model = Classifier().cuda()
batch = torch.rand(3, 4).cuda()
targets = torch.rand(3, 2).cuda()
pair = (batch, targets)
model(targets=targets, scale=2.0, x=batch)
model(batch, scale=2.0)
model.forward(batch)
model(*pair)
torch.mm(batch, *[targets.new_ones(4, 2)])
