# distributed checkpoint saved from the DDP wrapper, loaded into the bare model's state
# raises: RuntimeError: cannot restore ... Missing key in checkpoint state_dict: model.0.weight.
import os
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    folder = os.path.join(os.path.dirname(rdzv), "ckpt")
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(dev)
    ddp = DDP(net, device_ids=[rank])
    ddp(torch.randn(5, 4, device=dev)).sum().backward()
    dcp.save({"model": ddp.state_dict()}, checkpoint_id=folder)
    dist.barrier()
    state = {"model": net.state_dict()}
    try:
        dcp.load(state, checkpoint_id=folder)
    except dcp.CheckpointException as err:  # not an Exception: the process would only exit with 1
        raise RuntimeError(f"rank {rank} cannot restore: {err}") from None  # raises
    net.load_state_dict(state["model"])
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
