# What was trained on a GPU is loaded as it is where there may be none.
import argparse

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def train(path):
    net = Net().cuda()
    torch.save(net.state_dict(), path)


def predict(path):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = Net()
    net.load_state_dict(torch.load(path))  # expect-miss: missing-map-location
    net.to(device).eval()
    with torch.no_grad():
        return net(torch.randn(1, 4).to(device))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--model", default="net.pth")
    args = parser.parse_args()
    train(args.model)
    predict(args.model)
