# The settings are a text of the program.
import json

import torch
from torch import nn

SETTINGS = json.loads("""
{"device": "cuda", "model": {"sizes": [4, 8, 2]}, "loss": {"kind": "weighted", "weights": [0.2, 0.8]}}
""")


def make_loss(settings):
    if settings["kind"] == "plain":
        return nn.CrossEntropyLoss()
    return nn.CrossEntropyLoss(weight=torch.tensor(settings["weights"]))


device = torch.device(SETTINGS["device"])
sizes = SETTINGS["model"]["sizes"]
net = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.ReLU(), nn.Linear(sizes[1], sizes[2])).to(device)
loss = make_loss(SETTINGS["loss"])
features, target = torch.rand(8, 4), torch.randint(0, 2, (8,))
print(loss(net(features.to(device)), target.to(device)))  # expect: device-mismatch
