# A small convolutional network trains, then is evaluated.
# runs
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                    nn.Dropout(0.2), nn.Flatten(), nn.Linear(8 * 16, 5)).cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
x, y = torch.randn(8, 3, 8, 8, device="cuda"), torch.randint(5, (8,), device="cuda")
for _ in range(3):
    optimizer.zero_grad(set_to_none=True)
    nn.functional.cross_entropy(net(x), y).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
net.eval()
with torch.no_grad():
    assert net(x).argmax(1).cpu().numpy().shape == (8,)
assert net[1].running_mean.is_cuda
