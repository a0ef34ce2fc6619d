# In the spawned processes the batches are made with a bare .cuda(), which is cuda:0 in rank 1 too.
# raises: ProcessRaisedException: Expected all tensors to be on the same device
import argparse

import torch
import torch.multiprocessing as mp
import torch.nn as nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=2)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--lr", type=float, default=0.05)
    return p.parse_args([])


class Objective:
    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def sample(self, n):
        x = torch.randn(n, 4, generator=self.generator)
        y = (x[:, 0] * x[:, 1]).unsqueeze(1)
        return x.cuda(), y.cuda()


def search(rank, args, widths, results):
    """Every process tries another width of the network on its own card."""
    device = torch.device("cuda", rank)
    torch.manual_seed(rank)
    net = nn.Sequential(nn.Linear(4, widths[rank]), nn.Tanh(), nn.Linear(widths[rank], 1)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    objective = Objective(rank)
    for _ in range(args.steps):
        x, y = objective.sample(args.batch)
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    results[rank] = loss.item()


def main():
    args = parse()
    widths = [4, 8]
    results = torch.zeros(len(widths)).share_memory_()
    mp.spawn(search, args=(args, widths, results), nprocs=len(widths), join=True)  # raises
    best = int(results.argmin())
    print("best width", widths[best], "loss", results[best].item())


if __name__ == "__main__":
    main()
