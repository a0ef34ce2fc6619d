# The averages are loaded onto the CPU, and the module's state is where that was moved.
import os
import tempfile

import torch
import torch.nn as nn


class Averages:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.kept = {key: value.detach().clone() for key, value in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        state = model.state_dict()
        for key, kept in self.kept.items():
            if kept.dtype.is_floating_point:
                kept.mul_(self.decay).add_(state[key], alpha=1 - self.decay)  # expect: device-mismatch

    def state_dict(self):
        return self.kept

    def load_state_dict(self, state):
        self.kept = {key: value for key, value in state.items()}


class Run:
    def __init__(self, folder):
        self.path = os.path.join(folder, "state.pt")
        self.model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).cuda()
        self.averages = Averages(self.model)

    def step(self):
        self.model(torch.randn(8, 4).cuda()).sum().backward()
        self.averages.update(self.model)

    def save(self):
        torch.save({"model": self.model.state_dict(), "averages": self.averages.state_dict()},
                   self.path)

    def resume(self):
        checkpoint = torch.load(self.path, map_location="cpu")
        self.model.load_state_dict(checkpoint["model"])
        self.averages.load_state_dict(checkpoint["averages"])


with tempfile.TemporaryDirectory() as folder:
    first = Run(folder)
    first.step()
    first.save()
    second = Run(folder)
    second.resume()
    second.step()
