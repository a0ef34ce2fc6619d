# Slow weights are copies of an optimizer's parameters, made before the model was moved.
import torch
import torch.nn as nn


class Lookahead:
    def __init__(self, base):
        self.base = base
        self.slow = [[p.detach().clone() for p in group["params"]] for group in base.param_groups]

    def step(self):
        self.base.step()
        for group, slow in zip(self.base.param_groups, self.slow):
            for p, s in zip(group["params"], slow):
                s.add_(p.data - s, alpha=0.5)  # expect: device-mismatch
                p.data.copy_(s)


net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
optimizer = Lookahead(torch.optim.SGD(net.parameters(), lr=0.1))
net.cuda()
net(torch.rand(8, 3).cuda()).sum().backward()
optimizer.step()
