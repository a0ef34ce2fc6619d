# The model sits on the second GPU while DataParallel was told to start from the first.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
import torch
from torch import nn


def build(width):
    return nn.Sequential(nn.Linear(10, width), nn.Tanh(), nn.Linear(width, 2))


def train_step(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model(x), y)  # raises
    loss.backward()
    optimizer.step()
    return loss.item()


torch.manual_seed(3)
net = build(24).to("cuda:1")
parallel = nn.DataParallel(net, device_ids=[0, 1])
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
x = torch.randn(32, 10, device="cuda:1")
y = torch.randint(0, 2, (32,), device="cuda:1")
for step in range(3):
    print(step, train_step(parallel, optimizer, x, y))
