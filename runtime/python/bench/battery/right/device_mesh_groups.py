# device_mesh of shape (1, 2) and the process groups of its dimensions
# runs
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh

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
    mesh = init_device_mesh("cuda", (1, world), mesh_dim_names=("dp", "tp"))
    assert mesh.device_type == "cuda" and mesh.ndim == 2 and mesh.size() == world
    assert mesh.get_coordinate() == [0, rank] or tuple(mesh.get_coordinate()) == (0, rank)
    tp, dp = mesh["tp"], mesh["dp"]
    assert tp.size() == 2 and dp.size() == 1
    assert tp.get_local_rank() == rank and dp.get_local_rank() == 0
    assert mesh.mesh.tolist() == [[0, 1]]

    t = torch.full((3,), float(rank + 1), device=dev)
    dist.all_reduce(t, group=tp.get_group())
    assert t.tolist() == [3.0, 3.0, 3.0]
    u = torch.full((3,), float(rank + 1), device=dev)
    dist.all_reduce(u, group=mesh.get_group("dp"))
    assert u.tolist() == [rank + 1.0] * 3  # a group of one
    assert dist.get_process_group_ranks(tp.get_group()) == [0, 1]
    assert dist.get_world_size(dp.get_group()) == 1
    dist.barrier()
    dist.destroy_process_group()
    assert not dist.is_initialized()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
