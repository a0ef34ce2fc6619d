"""There is a process for each GPU, and the last one takes the GPU after the last."""
import torch
import torch.multiprocessing as mp


def work(rank, processes):
    gpu = rank + 1  # the first GPU is left to the display
    torch.cuda.set_device(gpu)  # expect: invalid-device


if __name__ == "__main__":
    processes = torch.cuda.device_count()
    mp.spawn(work, args=(processes,), nprocs=processes)
