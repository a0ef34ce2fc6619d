# the optimizer is resumed while the model is on the CPU, then the model moves to the GPU
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import os
import tempfile

import torch
import torch.nn as nn


def build():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    return model, torch.optim.Adam(model.parameters(), lr=1e-2)


def step(model, opt, device):
    x = torch.randn(10, 6, device=device)
    opt.zero_grad()
    model(x).pow(2).mean().backward()
    opt.step()  # raises


with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "opt.pt")
    model, opt = build()
    model.cuda()
    for _ in range(2):
        step(model, opt, "cuda")
    torch.save({"m": model.state_dict(), "o": opt.state_dict()}, path)

    model, opt = build()
    ckpt = torch.load(path, map_location="cpu")
    model.load_state_dict(ckpt["m"])
    opt.load_state_dict(ckpt["o"])
    model.to("cuda")
    step(model, opt, "cuda")  # raises
