# The wrapper is moved to a GPU that is not the first of the default ids.
import torch
from torch import nn, optim

device = torch.device("cuda:1")
model = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 2))
model = nn.DataParallel(model)
model = model.to(device)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    inputs, labels = torch.randn(8, 6).to(device), torch.randint(2, (8,)).to(device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(inputs), labels)  # expect: data-parallel-placement device-mismatch
    loss.backward()
    optimizer.step()
