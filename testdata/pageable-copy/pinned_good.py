# rule: pageable-copy
# What is copied is pinned, or may be, or is waited for.
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--pin", action="store_true")
args = parser.parse_args()
device = torch.device("cuda:0")
data = TensorDataset(torch.randn(16, 4), torch.randn(16, 2))
options = {"pin_memory": args.pin}
for loader in (
    DataLoader(data, batch_size=4, pin_memory=True),
    DataLoader(data, batch_size=4, pin_memory=args.pin),
    DataLoader(data, batch_size=4, **options),
):
    for x, y in loader:
        print(x.to(device, non_blocking=True).device, y.cuda(non_blocking=True).device)
for x, y in DataLoader(data, batch_size=4):
    print(x.pin_memory().to(device, non_blocking=True).device, y.to(device).device)
weights = torch.rand(4, pin_memory=True)
perhaps = torch.rand(4, pin_memory=args.pin)
print(weights.to(device, non_blocking=True).device, perhaps.cuda(non_blocking=True).device)
print(weights.cuda().to("cpu", non_blocking=True).device)
