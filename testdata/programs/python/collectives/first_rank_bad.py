# Collectives that only the first rank, or all but the first, come to.
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def is_first():
    return dist.get_rank() == 0


def mean_loss(loss):
    dist.all_reduce(loss)  # expect: collective-in-branch
    return loss / dist.get_world_size()


class Trainer:
    def __init__(self, rank):
        self.rank = rank

    def save(self, model):
        if self.rank == 0:
            torch.save(model.state_dict(), "model.pt")
            self.wait()

    def wait(self):
        dist.barrier()  # expect: collective-in-branch


def work(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    loss = torch.rand(2)
    if is_first():
        print(mean_loss(loss))
    Trainer(rank).save(torch.nn.Linear(2, 2))
    if rank != 0:
        return
    gathered = [torch.empty(2), torch.empty(2)]
    dist.all_gather(gathered, loss)  # expect: collective-in-branch


if __name__ == "__main__":
    mp.spawn(work, args=(os.path.abspath("store"),), nprocs=2)
