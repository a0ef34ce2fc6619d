# Types are compared with types, and an index with an index.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
x = torch.rand(3, 4)
if net.weight.device.type == device.type:
    x = x.to(device)
net(x)
y = torch.rand(3, 4)
if net.weight.device != device:
    y = y.to(net.weight.device)
net(y)
z = torch.rand(3, 4)
if net.weight.device == torch.device("cuda:0"):
    z = z.to("cuda:0")
net(z)
named = torch.rand(3, 4)
if str(net.weight.device) == "cuda:0":
    named = named.to(device)
net(named)
