# A tensor of each process is on the first GPU when they are added up.
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, world_size):
    dist.init_process_group("nccl", "tcp://127.0.0.1:29500", rank=rank, world_size=world_size)
    total = torch.tensor([float(rank)]).cuda()
    dist.all_reduce(total)  # expect: rank-device
    if rank == 0:
        print(total.item())


if __name__ == "__main__":
    mp.spawn(work, args=(2,), nprocs=2)
