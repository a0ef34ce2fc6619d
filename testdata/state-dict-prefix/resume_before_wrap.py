# A checkpoint of the wrapped model is resumed before the model is wrapped.
import argparse
import os

import torch
import torch.nn as nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default="checkpoint.pth.tar", type=str)
    parser.add_argument("--epochs", default=1, type=int)
    args = parser.parse_args()
    for _ in range(2):  # two runs of the same script
        run(args)


def run(args):
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    if args.resume and os.path.isfile(args.resume):
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["state_dict"])  # expect: state-dict-prefix
    model = torch.nn.DataParallel(model).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(args.epochs):
        optimizer.zero_grad()
        model(torch.randn(4, 4).cuda()).sum().backward()
        optimizer.step()
        torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()},
                   args.resume)


if __name__ == "__main__":
    main()
