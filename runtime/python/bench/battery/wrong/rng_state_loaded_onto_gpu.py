# Resuming maps the whole checkpoint to the GPU, the CPU generator's state included.
# raises: TypeError: RNG state must be a torch.ByteTensor
# raises: TypeError: expected a torch.ByteTensor, but got torch.cuda.ByteTensor
import os
import tempfile

import torch
from torch import nn


class Trainer:
    def __init__(self, device):
        self.device = device
        self.model = nn.Linear(8, 3).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def step(self):
        x = torch.randn(32, 8).to(self.device)
        loss = self.model(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                    "rng": torch.get_rng_state()}, path)

    def resume(self, path):
        state = torch.load(path, map_location=self.device)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["rng"])  # raises


trainer = Trainer("cuda:0")
trainer.step()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ckpt.pt")
    trainer.save(path)
    Trainer("cuda:0").resume(path)
