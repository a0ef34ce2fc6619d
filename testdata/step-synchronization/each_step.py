# rule: step-synchronization
# The loss is read in each step: by item(), by print, by a text, and in a function of the step.
import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()  # expect: step-synchronization


x, y = torch.randn(8, 4).cuda(), torch.randn(8, 2).cuda()
total = 0.0
for epoch in range(2):
    for i in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: step-synchronization
        print(i, loss)  # expect: step-synchronization
        line = f"{epoch}: {loss:.3f}"  # expect: step-synchronization
        kept = loss.detach().cpu()  # expect: step-synchronization
        number = float(loss)  # expect: step-synchronization
for i in range(20):
    total += step(x, y)
print(total, line, kept, number)
