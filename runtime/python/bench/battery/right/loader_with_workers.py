# Workers, pinned memory, and transfers that do not block.
# runs
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.arange(32.0).view(16, 2), torch.arange(16) % 2)
net = torch.nn.Linear(2, 2).cuda()
seen = 0
for x, y in DataLoader(data, batch_size=4, num_workers=2, pin_memory=True, shuffle=True):
    assert x.is_pinned()
    x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
    torch.nn.functional.cross_entropy(net(x), y).backward()
    seen += len(x)
assert seen == 16
