# A spawned process hides the devices from itself, and loads what was saved from one.
import os

import torch
import torch.multiprocessing as mp
from torch import nn


def export(path):
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    model = nn.Linear(4, 2)
    model.load_state_dict(torch.load(path))  # expect: missing-map-location


def main():
    model = nn.Linear(4, 2).cuda()
    torch.save(model.state_dict(), "trained.pt")
    process = mp.get_context("spawn").Process(target=export, args=("trained.pt",))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
