"""Layers are built on the default device, as tensors are."""

import torch
from torch import nn


class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x)


def main():
    x = torch.ones(2, 4, device="cuda")
    if hasattr(torch, "set_default_device"):  # since PyTorch 2.0
        with torch.device("cuda"):
            net = Net()
            head = nn.Linear(4, 2)
        print(head(net(x)).sum())


if __name__ == "__main__":
    main()
