# One process or several: the text of the device names one of CUDA either way, and so the branch
# for the CPU, which leaves nothing out, is none.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

distributed = int(os.environ.get("RANK", -1)) != -1
if distributed:
    device = f"cuda:{int(os.environ.get('LOCAL_RANK', 0))}"
else:
    device = "cuda"
device_type = "cuda" if "cuda" in device else "cpu"


def get_batch():
    x, y = torch.zeros(8, 4), torch.zeros(8, dtype=torch.long)
    if device_type == "cuda":
        x, y = x.pin_memory().to(device, non_blocking=True), y.pin_memory()
    else:
        x, y = x.to(device), y.to(device)
    return x, y


net = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD([{"params": [net.weight]}, {"params": [net.bias]}], lr=0.1)
for step in range(2):
    for group in optimizer.param_groups:
        group["lr"] = 0.1 / (step + 1)
    x, y = get_batch()
    loss = F.cross_entropy(net(x), y)  # expect: device-mismatch
