# The optimizer evaluates the loss; the labels are on the CPU.
import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda:0")
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=2)
x, labels = torch.rand(3, 4, device="cuda:0"), torch.tensor([0, 1, 0])


def closure():
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), labels)  # expect: device-mismatch
    loss.backward()
    return loss


optimizer.step(closure)
