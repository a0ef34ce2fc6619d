# What comes from elsewhere is moved, its labels are not.
import json

import torch
from torch import nn


def read(path):
    with open(path) as stream:
        return json.load(stream)


class Examples(torch.utils.data.Dataset):
    def __init__(self, count):
        self.rows = [json.loads("[0.1, 0.2]") for _ in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return torch.tensor(self.rows[index]), torch.tensor([0.5])


def main():
    device = torch.device("cuda:0")
    weights = torch.rand(2, 1)
    for inputs, targets in torch.utils.data.DataLoader(Examples(4), batch_size=2):
        inputs = inputs.to(device)
        print((inputs @ weights - targets.to(device)).sum().item())  # expect: device-mismatch


main()
