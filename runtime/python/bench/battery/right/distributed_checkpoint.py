# torch.distributed.checkpoint: save DTensors and a plain tensor, load them into another model
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.checkpoint.state_dict import get_model_state_dict, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def sharded(seed, dev, mesh):
    torch.manual_seed(seed)
    m = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 2)).to(dev)
    fully_shard(m, mesh=mesh)
    return m


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    folder = os.path.join(os.path.dirname(rdzv), "ckpt")
    mesh = init_device_mesh("cuda", (world,))
    a, b = sharded(0, dev, mesh), sharded(1, dev, mesh)
    x = torch.randn(4, 6, generator=torch.Generator().manual_seed(9)).to(dev)
    with torch.no_grad():
        ya, yb = a(x), b(x)
    assert not torch.allclose(ya, yb)
    dcp.save({"model": get_model_state_dict(a), "step": 7, "ema": torch.arange(3.0, device=dev)}, checkpoint_id=folder)
    state = {"model": get_model_state_dict(b), "step": 0, "ema": torch.zeros(3, device=dev)}
    dcp.load(state, checkpoint_id=folder)
    set_model_state_dict(b, state["model"])
    with torch.no_grad():
        assert torch.allclose(b(x), ya, atol=1e-5)
    assert state["step"] == 7
    assert state["ema"].tolist() == [0.0, 1.0, 2.0] and state["ema"].device == dev
    torch.manual_seed(0)
    ref = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 2))
    assert torch.allclose(ya.cpu(), ref(x.cpu()), atol=1e-3)
    assert sorted(f for f in os.listdir(folder) if f.endswith(".distcp"))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
