# Each process moves its images, and not its labels.
import torch
import torch.multiprocessing as mp
from torch import nn


def work(rank, count):
    model = nn.Linear(4, 2).to(rank)
    images, labels = torch.rand(count, 4), torch.zeros(count, dtype=torch.long)
    loss = nn.functional.cross_entropy(model(images.to(rank)), labels)  # expect: device-mismatch
    loss.backward()


if __name__ == "__main__":
    mp.spawn(work, args=(3,), nprocs=1)
