# The export asks for the CPU.
import argparse
import os
from pathlib import Path

import torch
from torch import nn


def train(args):
    net = nn.Linear(4, 2).to("cuda")
    net(torch.ones(2, 4, device="cuda"))
    torch.save({"model": net.state_dict()}, args.dir / "last.pt")


def export(args):
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    state = torch.load(args.dir / "last.pt", map_location="cpu")
    net = nn.Linear(4, 2)
    net.load_state_dict(state["model"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", choices=["train", "export"], default="train")
    parser.add_argument("--dir", type=Path, default=Path("."))
    args = parser.parse_args()
    {"train": train, "export": export}[args.stage](args)
