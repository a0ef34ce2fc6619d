# the evaluation script maps a checkpoint to the GPU it used on the big machine
# raises: RuntimeError: Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 2. Please use torch.load with map_location to map your storages to an existing device.
import os
import tempfile
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    train_device: str = "cuda:1"
    eval_device: str = "cuda:3"


def load(path, cfg):
    return torch.load(path, map_location=cfg.eval_device)  # raises


cfg = Config()
model = nn.Linear(3, 3).to(cfg.train_device)
with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "best.pt")
    torch.save({"epoch": 4, "state": model.state_dict()}, path)
    back = torch.load(path)
    assert back["state"]["weight"].device.index == 1
    state = load(path, cfg)  # raises
    model.load_state_dict(state["state"])
