# DTensor: shard, replicate, redistribute, and a sharded matrix product
# runs
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, port):
    dev = setup(rank, world, port)
    mesh = init_device_mesh("cuda", (world,), mesh_dim_names=("tp",))
    g = torch.Generator().manual_seed(0)
    a, b = torch.randn(6, 8, generator=g), torch.randn(8, 4, generator=g)

    da = distribute_tensor(a.to(dev), mesh, [Shard(0)])
    assert da.shape == (6, 8) and da.to_local().shape == (3, 8)
    assert torch.equal(da.to_local().cpu(), a[rank * 3 : rank * 3 + 3])
    db = distribute_tensor(b.to(dev), mesh, [Replicate()])
    c = da @ db
    assert c.placements == (Shard(0),)
    assert torch.allclose(c.full_tensor().cpu(), a @ b, atol=1e-3)

    # contraction over the sharded dimension: partial sums, reduced on redistribution
    ca = distribute_tensor(a.to(dev), mesh, [Shard(1)])
    rb = distribute_tensor(b.to(dev), mesh, [Shard(0)])
    p = ca @ rb
    assert p.placements == (Partial(),)
    r = p.redistribute(mesh, [Replicate()])
    assert r.to_local().shape == (6, 4)
    assert torch.allclose(r.to_local().cpu(), a @ b, atol=1e-3)

    s = r.redistribute(mesh, [Shard(1)])
    assert s.to_local().shape == (6, 2)
    loc = torch.full((2, 2), float(rank), device=dev)
    whole = DTensor.from_local(loc, mesh, [Shard(0)]).full_tensor()
    assert whole.device == dev and whole[:, 0].tolist() == [0.0, 0.0, 1.0, 1.0]
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
