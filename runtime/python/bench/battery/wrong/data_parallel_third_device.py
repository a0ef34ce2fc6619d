# DataParallel over three devices of a machine that has two
# raises: AssertionError: Invalid device id
import torch
import torch.nn as nn

GPUS = [0, 1, 2]


def make_parallel(model, gpus):
    model = model.to(f"cuda:{gpus[0]}")
    return nn.DataParallel(model, device_ids=gpus, output_device=gpus[0])  # raises


net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
net = make_parallel(net, GPUS)  # raises
x = torch.randn(30, 10)
print(net(x).mean().item())
