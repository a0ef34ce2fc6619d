# The norms are brought to one GPU, or are those of parameters on one.
import torch
import torch.nn as nn


class Pipe(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4).to("cuda:0")
        self.second = nn.Linear(4, 1, bias=False).to("cuda:1")

    def forward(self, x):
        return self.second(self.first(x).to("cuda:1"))


model = Pipe()
model(torch.rand(2, 4, device="cuda:0")).sum().backward()
norms = [p.grad.norm().to("cuda:0") for p in model.parameters()]
torch.stack(norms)
torch.stack([p.grad.norm() for p in model.parameters() if p.device.index == 0])
weights = list(model.parameters())
torch.stack([weights[0].grad.norm(), weights[1].grad.norm()])
for p in model.parameters():
    p.data.add_(p.grad)
for p, moment in zip(model.parameters(), [torch.zeros_like(p) for p in model.parameters()]):
    moment.mul_(0.9).add_(p.grad)
