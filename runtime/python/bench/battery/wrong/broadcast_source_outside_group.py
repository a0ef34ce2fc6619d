# broadcast inside a sub group takes the global rank of a process that is not in it
# raises: ValueError: Global rank 0 is not part of group
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

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
    evaluators = dist.new_group([1])
    t = torch.full((4,), float(rank), device=dev)
    dist.all_reduce(t)
    if rank == 1:
        # the author thought of the first rank of the group
        dist.broadcast(t, src=0, group=evaluators)  # raises
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)  # raises
