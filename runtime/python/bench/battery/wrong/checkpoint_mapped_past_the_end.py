# A checkpoint is remapped to a second GPU on a machine set to show only one.
# raises: RuntimeError: Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1. Please use torch.load with map_location to map your storages to an existing device.
# environment: CUDA_VISIBLE_DEVICES=0
import os
import tempfile

import torch
from torch import nn


def save_checkpoint(path, model, step):
    torch.save({"model": model.state_dict(), "step": step}, path)


def load_checkpoint(path, moves):
    return torch.load(path, map_location=moves)  # raises


model = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 2)).to("cuda:0")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "last.pt")
    save_checkpoint(path, model, 120)
    # the evaluation is to run on the other card
    state = load_checkpoint(path, {"cuda:0": "cuda:1"})
    model.load_state_dict(state["model"])
    print("resumed at", state["step"])
