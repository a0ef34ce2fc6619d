# a device mesh for a node of four GPUs on a machine with two
# raises: RuntimeError: Mesh should not be bigger than default world size 2, but found 4 ranks!
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

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
    mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))  # raises
    w = distribute_tensor(torch.ones(8, 8, device=dev), mesh["tp"], [Shard(0)])
    print(w.to_local().shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)  # raises
