# the shuffling DataLoader is given a CUDA generator
# raises: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def seeded(device, seed):
    return torch.Generator(device=device).manual_seed(seed)


device = torch.device("cuda:0")
gen = seeded(device, 7)
x = torch.randn(64, 5, device=device, generator=gen)
y = x.sum(1, keepdim=True)
loader = DataLoader(TensorDataset(x.cpu(), y.cpu()), batch_size=16, shuffle=True, generator=gen)
model = nn.Linear(5, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for xb, yb in loader:  # raises
    opt.zero_grad()
    nn.functional.mse_loss(model(xb.to(device)), yb.to(device)).backward()
    opt.step()
