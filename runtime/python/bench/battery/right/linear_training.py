# Model, batches and labels on the GPU.
# runs
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
assert device.type == "cuda"
data = TensorDataset(torch.randn(16, 4), torch.randint(3, (16,)))
net = torch.nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
losses = []
for _ in range(10):
    for x, y in DataLoader(data, batch_size=8):
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
assert losses[-1] < losses[0]
