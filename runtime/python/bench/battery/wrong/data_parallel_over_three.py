# The launch configuration of a four-GPU machine asks DataParallel for a GPU that is not there.
# raises: AssertionError: Invalid device id
import json

import torch
from torch import nn

CONFIG = json.loads("""{"gpus": [0, 1, 2], "batch": 24, "hidden": 16, "lr": 0.05}""")


class Regressor(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x)


def prepare(config):
    model = Regressor(config["hidden"]).to(f"cuda:{config['gpus'][0]}")
    return nn.DataParallel(model, device_ids=config["gpus"])  # raises


model = prepare(CONFIG)
x = torch.randn(CONFIG["batch"], 4, device="cuda:0")
print(model(x).shape)
