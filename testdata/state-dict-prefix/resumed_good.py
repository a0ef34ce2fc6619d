# The wrapped module is resumed as well.
import argparse
import os

import torch
from torch import nn


def save(path, model, epoch):
    state = {"epoch": epoch, "model": model.module.state_dict()}
    torch.save(state, path + ".tmp")
    os.replace(path + ".tmp", path)


def resume(path, model):
    state = torch.load(path, map_location="cpu")
    model.module.load_state_dict(state["model"])
    return state["epoch"] + 1


def main(args):
    model = nn.DataParallel(nn.Linear(4, 2).cuda())
    first = resume(args.resume, model) if args.resume else 0
    for epoch in range(first, first + 1):
        model(torch.ones(4, 4).cuda())
        save(args.save, model, epoch)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default=None)
    parser.add_argument("--save", default="resumed_good.pt")
    main(parser.parse_args())
    main(parser.parse_args(["--resume", "resumed_good.pt"]))
