# A DataLoader is given a generator made on the GPU for its shuffling.
# raises: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader(x, y, seed, device):
    generator = torch.Generator(device=device)
    generator.manual_seed(seed)
    return DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True, generator=generator)


device = torch.device("cuda:0")
torch.manual_seed(0)
x = torch.randn(40, 4)
y = (x.sum(dim=1) > 0).float()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
loader = make_loader(x, y, 7, device)
for xb, yb in loader:  # raises
    logits = model(xb.to(device)).squeeze(1)
    loss = nn.functional.binary_cross_entropy_with_logits(logits, yb.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
