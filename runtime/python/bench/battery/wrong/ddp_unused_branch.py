# a branch of the model gets no gradient and find_unused_parameters is not set: the second forward pass complains
# raises: RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 12)
        self.classify = nn.Linear(12, 3)
        self.regress = nn.Linear(12, 1)

    def forward(self, x, task):
        h = torch.relu(self.body(x))
        return self.classify(h) if task == "classify" else self.regress(h)


def worker(rank, world, port):
    dev = setup(rank, world, port)
    model = DDP(TwoHeads().to(dev), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(4):
        x = torch.randn(8, 6, device=dev)
        out = model(x, "classify" if step % 2 == 0 else "regress")  # raises
        opt.zero_grad()
        out.square().mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)  # raises
