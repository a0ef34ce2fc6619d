# Moved where no gradients are recorded, the copy is a leaf.
import torch
from torch import nn

net = nn.Linear(4, 4).cuda()
with torch.no_grad():
    target = net(torch.rand(1, 4).cuda())
    if target.sum() > 0:
        target = target * 2
    canvas = torch.rand(1, 4, requires_grad=True).cuda()
canvas.requires_grad_()
optimizer = torch.optim.Adam([canvas], lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(canvas), target).backward()
    optimizer.step()
