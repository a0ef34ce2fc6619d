# A list is repeated for each example of a batch, and a layer is made in the forward.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Routing(nn.Module):
    def __init__(self, routes, capsules):
        super().__init__()
        self.routes, self.capsules = routes, capsules
        self.weight = nn.Parameter(torch.randn(1, routes, capsules, 4))

    def forward(self, x):
        votes = torch.cat([self.weight] * x.size(0), dim=0) * x[:, :, None, None]
        logits = torch.zeros(1, self.routes, self.capsules)
        shares = torch.cat([F.softmax(logits, dim=2)] * x.size(0), dim=0).unsqueeze(3)
        return (shares * votes).sum(1)  # expect: hardcoded-device


class Pooled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.layer = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        features = F.adaptive_max_pool2d(self.layer(x), 1).flatten(1)
        if features.size(1) != self.width:
            squeeze = nn.Linear(features.size(1), self.width)
            features = squeeze(features)  # expect: device-mismatch
        return features


device = torch.device("cuda")
try:
    Routing(6, 3).to(device)(torch.randn(2, 6, device=device))
except RuntimeError as error:
    print(error)
print(Pooled(2).to(device)(torch.randn(2, 3, 8, 8, device=device)).sum().item())
