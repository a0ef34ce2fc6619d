# Batches come from a generator that begins anew when the loader ends.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def infinite(loader):
    while True:
        for batch in loader:
            yield batch


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(8, 4), torch.randint(0, 3, (8,)))
batches = infinite(DataLoader(data, batch_size=4))
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    x, y = next(batches)
    loss = F.cross_entropy(model(x.to(device)), y)  # expect: device-mismatch
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
