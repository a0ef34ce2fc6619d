# All ranks come to each collective, if not always in the same branch.
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def is_first():
    return dist.get_rank() == 0


def work(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    loss = torch.rand(2)
    dist.all_reduce(loss)
    if is_first():
        print(loss)
        torch.save(loss, "loss.pt")
    dist.barrier()
    # The first rank prepares what the others read.
    if rank != 0:
        dist.barrier()
    else:
        torch.save(torch.ones(2), "prepared.pt")
        dist.barrier()
    if rank == 0:
        gathered = [torch.empty(2), torch.empty(2)]
        dist.gather(loss, gathered)
    else:
        dist.gather(loss)
    if rank == 0:
        dist.send(loss, 1)
    else:
        dist.recv(loss, 0)
    # Of a group that the first rank is not in.
    others = dist.new_group([1])
    if rank == 1:
        dist.all_reduce(loss, group=others)
    if rank > 7:
        raise ValueError("too many ranks")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(os.path.abspath("store"),), nprocs=2)
