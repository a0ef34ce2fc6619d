# Copies of an optimizer's parameters that are made where the model is; groups change.
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
                s.add_(p.data - s, alpha=0.5)
                p.data.copy_(s)


net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
net.cuda()
head = nn.Linear(1, 1).cuda()
base = torch.optim.SGD([{"params": net.parameters(), "lr": 0.01}], lr=0.1)
base.add_param_group({"params": head.parameters()})
optimizer = Lookahead(base)
for group in base.param_groups:
    group["lr"] = 0.5 * group["lr"]
    assert "params" in group
head(net(torch.rand(8, 3).cuda())).sum().backward()
optimizer.step()
total = torch.stack([p.grad.norm() for group in base.param_groups for p in group["params"]]).sum()
total + torch.rand(2).cuda()
