# nobody called set_device: both ranks put their tensors on cuda:0
# raises: DistBackendError: NCCL error in: ... ncclInvalidUsage: This usually reflects invalid usage of NCCL library. ... Duplicate GPU detected
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def worker(rank, world, port):
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    device = torch.device("cuda")
    losses = torch.tensor([float(rank)], device=device)
    dist.all_reduce(losses)  # raises
    print("mean", losses.item() / world)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)  # raises
