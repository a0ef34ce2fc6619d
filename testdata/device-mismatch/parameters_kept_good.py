# The parameters stay the same objects where their module is moved, in a list as well.
import torch
import torch.nn as nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 2))
parameters = [p for p in net.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(parameters, lr=1e-3)
net.cuda()
device = parameters[0].device
for step in range(2):
    loss = net(torch.rand(4, 3, 8, 8).to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
