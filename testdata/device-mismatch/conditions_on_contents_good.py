"""A text, a list or a table is true where anything is in it."""
import torch
from torch import nn

name = ""
names = []
table = {}
net = nn.Linear(2, 2).cuda()
batch = torch.rand(2, 2)
if name:
    net(batch)
if not name:
    pass
else:
    net(batch)
if names or table:
    net(batch)
if None:
    net(batch)
chosen = name or "cuda"
if chosen == "":
    net(batch)
names.append("cuda")
if not names:
    net(batch)
if names:
    batch = batch.to(names[0])
net(batch)
for epoch in range(3):
    header = f"epoch {epoch}"
    if not header:
        batch = batch.cpu()
    net(batch)
