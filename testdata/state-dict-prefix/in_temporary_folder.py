# The path of the checkpoint is made in a function and returned by it.
import os
import tempfile

import torch
import torch.nn as nn


def save_checkpoint(state, folder):
    path = os.path.join(folder, "checkpoint.pth.tar")
    torch.save(state, path)
    return path


def pretrain(device, folder):
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).to(device)
    model(torch.randn(8, 4, device=device)).sum().backward()
    return save_checkpoint({"arch": "small", "state_dict": model.state_dict()}, folder)


def finetune(device, path):
    model = nn.DataParallel(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))).to(device)
    checkpoint = torch.load(path, map_location=device)
    model.load_state_dict(checkpoint["state_dict"])  # expect: state-dict-prefix
    return model


device = torch.device("cuda:0")
with tempfile.TemporaryDirectory() as folder:
    finetune(device, pretrain(device, folder))
