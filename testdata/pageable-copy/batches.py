# rule: pageable-copy
# The copies ask not to wait, but what they read is not pinned.
import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0")
loader = DataLoader(TensorDataset(torch.randn(16, 4), torch.randn(16, 2)), batch_size=4)
unpinned = DataLoader(TensorDataset(torch.randn(16, 4)), batch_size=4, pin_memory=False)
for x, y in loader:
    x = x.to(device, non_blocking=True)  # expect: pageable-copy
    y = y.cuda(non_blocking=True)  # expect: pageable-copy
    print(x.device, y.device)
for (x,) in unpinned:
    print(x.to(device, torch.float16, non_blocking=True).device)  # expect: pageable-copy
weights = torch.rand(4)
print(weights.to(device, non_blocking=True).device)  # expect: pageable-copy
