# rule: step-synchronization
# The loss is read once in a while, after the loop, or where nothing is trained.
import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 4).cuda(), torch.randn(8, 2).cuda()


def evaluate():
    correct = 0.0
    with torch.no_grad():
        for _ in range(4):
            correct += (model(x).argmax(1) == y.argmax(1)).sum().item()
    return correct


for epoch in range(2):
    total = torch.zeros((), device="cuda")
    for i in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if i % 10 == 0:
            print(i, loss.item())
        if i % 10 != 9:
            continue
        print(f"{i}: {loss}")
    print(epoch, total.item(), evaluate())

host = nn.Linear(4, 2)
for i in range(3):
    loss = host(torch.randn(2, 4)).sum()
    loss.backward()
    print(loss.item())
