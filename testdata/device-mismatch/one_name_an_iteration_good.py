# What one iteration moves, the next one makes anew, whichever name it has.
import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda:0")
for step in range(2):
    for name in ["first", "second"]:
        if name == "first":
            x = torch.rand(3, 4)
        elif name == "second":
            x = torch.ones(3, 4)
        noise = torch.rand(3, 4)
        x = (x + noise).to("cuda:0")
        print(model(x).sum().item())
