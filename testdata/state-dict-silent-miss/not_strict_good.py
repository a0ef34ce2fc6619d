# The checkpoint is loaded strictly, from the inner model.
import torch
import torch.nn as nn

model = nn.DataParallel(nn.Linear(6, 2)).cuda()
model(torch.randn(4, 6)).sum().backward()
torch.save(model.module.state_dict(), "latest.pth")

net = nn.Linear(6, 2)
net.load_state_dict(torch.load("latest.pth", map_location="cpu"))
