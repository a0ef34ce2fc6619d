# Workers, pinned memory, and the transfer in the loop.
# runs
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(32, 4), torch.randint(2, (32,)))
net = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=16, num_workers=1, pin_memory=True, shuffle=True):
    x, y = x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
assert net.weight.isfinite().all()
