# The whole data set was moved to the GPU, and the loader is still asked to pin its batches.
# raises: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spirals(Dataset):
    def __init__(self, n, device):
        t = torch.linspace(0.2, 3.0, n)
        side = torch.arange(n) % 2
        angle = 3 * t + side * torch.pi
        self.points = torch.stack([t * angle.cos(), t * angle.sin()], dim=1).to(device)
        self.side = side.to(device)

    def __len__(self):
        return len(self.side)

    def __getitem__(self, i):
        return self.points[i], self.side[i]


device = torch.device("cuda")
loader = DataLoader(Spirals(60, device), batch_size=20, pin_memory=True)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2)).to(device)
total = 0.0
for points, side in loader:  # raises
    total += nn.functional.cross_entropy(net(points), side).item()
print(total)
