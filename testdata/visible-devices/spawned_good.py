# A process that is spawned has not started CUDA when it chooses its device.
import os

import torch
import torch.multiprocessing as mp
from torch import nn


def work(rank, devices):
    os.environ["CUDA_VISIBLE_DEVICES"] = devices[rank]
    layer = nn.Linear(4, 2).cuda()
    print(layer(torch.rand(8, 4, device="cuda:0")).sum().item())


if __name__ == "__main__":
    print(torch.ones(2, device="cuda:1").sum().item())
    mp.spawn(work, args=(["0", "1"],), nprocs=2)
