# Rank 0 saves the state of the DDP wrapper ("module." names) and every rank loads it into a plain model.
# raises: ProcessRaisedException: Unexpected key(s) in state_dict: "module.
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        return self.head(self.body(x))


def train_briefly(model, device, rank):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(40 + rank)
    for _ in range(3):
        x = torch.randn(8, 5, generator=gen).to(device)
        y = torch.randint(0, 2, (8,), generator=gen).to(device)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def worker(rank, world_size, folder):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(0)
    ddp_model = DDP(Classifier().to(device), device_ids=[rank])
    train_briefly(ddp_model, device, rank)

    path = os.path.join(folder, "last.pt")
    if rank == 0:
        torch.save({"model": ddp_model.state_dict(), "epoch": 1}, path)
    dist.barrier(device_ids=[rank])

    checkpoint = torch.load(path, map_location={"cuda:0": f"cuda:{rank}"})
    restored = Classifier().to(device)
    restored.load_state_dict(checkpoint["model"])
    restored.eval()
    with torch.no_grad():
        print(rank, restored(torch.ones(1, 5, device=device)).argmax().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(2, folder), nprocs=2)  # raises
