"""Saves the wrapper's state whenever the loss is the lowest so far."""
import torch
from torch import nn

net = nn.DataParallel(nn.Sequential(nn.Linear(8, 2)).cuda(), device_ids=[0, 1])
best = float("inf")
for epoch in range(5):
    total = 0.0
    for step in range(4):
        loss = net(torch.rand(16, 8).cuda()).pow(2).sum()
        loss.backward()
        total += loss.item()
    if total < best:
        best = total
        torch.save({"epoch": epoch, "net": net.state_dict()}, "best.pt")
