# map_location sends the saved random state to the GPU, too
# raises: TypeError: RNG state must be a torch.ByteTensor
import os
import tempfile

import torch
import torch.nn as nn

device = torch.device("cuda:0")
model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def save(path):
    torch.save(
        {
            "model": model.state_dict(),
            "opt": opt.state_dict(),
            "rng": torch.get_rng_state(),
            "cuda_rng": torch.cuda.get_rng_state(device),
        },
        path,
    )


def resume(path):
    ckpt = torch.load(path, map_location=device)
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["opt"])
    torch.set_rng_state(ckpt["rng"])  # raises
    torch.cuda.set_rng_state(ckpt["cuda_rng"], device)


with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "run.pt")
    model(torch.randn(8, 4).to(device)).sum().backward()
    opt.step()
    save(path)
    resume(path)  # raises
