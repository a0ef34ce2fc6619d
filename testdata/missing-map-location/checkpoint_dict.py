# The checkpoint is loaded without a device, into a program that may run on the CPU.
import os

import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(3, 1).to(device)
optimizer = torch.optim.Adam(model.parameters())
start_epoch, path = 0, "last.pth"
torch.save({"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
if os.path.exists(path):
    checkpoint = torch.load(path)  # expect-miss: missing-map-location
    start_epoch = checkpoint["epoch"]
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
for epoch in range(start_epoch, 4):
    model(torch.randn(2, 3, device=device)).sum().backward()
    optimizer.step()
