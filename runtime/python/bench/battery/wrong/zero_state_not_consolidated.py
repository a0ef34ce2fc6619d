# the checkpoint takes the state of a ZeroRedundancyOptimizer without consolidating it
# raises: RuntimeError: Optimizer state has not been consolidated on this rank. Please call `consolidate_state_dict(to= ... )` on all ranks beforehand if you meant to save the global state.
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def checkpoint(model, opt):
    return {"model": model.module.state_dict(), "opt": opt.state_dict()}  # raises


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)).to(dev), device_ids=[rank])
    opt = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.AdamW, lr=1e-3)
    for _ in range(2):
        opt.zero_grad()
        model(torch.randn(4, 8, device=dev)).pow(2).mean().backward()
        opt.step()
    torch.cuda.synchronize()
    state = checkpoint(model, opt)  # raises
    if rank == 0:
        torch.save(state, os.path.join(os.path.dirname(rdzv), "c.pt"))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
