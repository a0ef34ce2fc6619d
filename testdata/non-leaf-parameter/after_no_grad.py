# A canvas is moved behind a block that records no gradients, and where one ends.
import torch
from torch import nn

net = nn.Linear(4, 4).cuda()
with torch.no_grad():
    target = net(torch.rand(1, 4).cuda())
canvas = torch.rand(1, 4, requires_grad=True).cuda()
optimizer = torch.optim.Adam([canvas], lr=0.1)  # expect: non-leaf-parameter
for step in range(2):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(canvas), target).backward()
    optimizer.step()
    with torch.no_grad():
        canvas.clamp_(0, 1)
