"""One process less than there are GPUs, or the next one in turn."""
import torch
import torch.multiprocessing as mp


def beside_the_first(rank):
    torch.cuda.set_device(rank + 1)


def in_turn(rank, processes):
    torch.cuda.set_device((rank + 1) % processes)


if __name__ == "__main__":
    processes = torch.cuda.device_count()
    mp.spawn(beside_the_first, nprocs=processes - 1)
    mp.spawn(in_turn, args=(processes,), nprocs=processes)
