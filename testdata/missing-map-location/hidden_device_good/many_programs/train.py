"""Trains on the second GPU, and saves from there."""
import torch
from torch import nn

device = torch.device("cuda:1")
net = nn.Linear(8, 2).to(device)
loss = net(torch.rand(16, 8, device=device)).sum()
loss.backward()
torch.save({"net": net.state_dict(), "epoch": 1}, "price.pt")
