# Rank 0 writes a checkpoint with EMA weights, every rank loads it onto its own GPU and the resumed run repeats the first one.
# runs
import copy
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


class Run:
    def __init__(self, rank, device):
        torch.manual_seed(2)
        self.rank, self.device = rank, device
        self.model = DDP(nn.Sequential(nn.Linear(6, 9), nn.ELU(), nn.Linear(9, 3)).to(device), device_ids=[rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.9)
        self.ema = copy.deepcopy(self.model.module)
        self.step = 0

    def train(self, steps):
        for _ in range(steps):
            gen = torch.Generator().manual_seed(100 * self.step + self.rank)
            x = torch.randn(8, 6, generator=gen).to(self.device)
            y = torch.randint(0, 3, (8,), generator=gen).to(self.device)
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            self.scheduler.step()
            with torch.no_grad():
                for slow, fast in zip(self.ema.parameters(), self.model.module.parameters()):
                    slow.lerp_(fast, 0.1)
            self.step += 1

    def save(self, path):
        if self.rank == 0:
            torch.save({
                "model": self.model.module.state_dict(), "ema": self.ema.state_dict(),
                "optimizer": self.optimizer.state_dict(), "scheduler": self.scheduler.state_dict(),
                "step": self.step,
            }, path)
        dist.barrier(device_ids=[self.rank])

    def load(self, path):
        state = torch.load(path, map_location={"cuda:0": f"cuda:{self.rank}"})
        assert {t.device for t in state["model"].values()} == {self.device}
        self.model.module.load_state_dict(state["model"])
        self.ema.load_state_dict(state["ema"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.step = state["step"]


def worker(rank, world_size, path):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    first = Run(rank, device)
    first.train(3)
    first.save(path)
    first.train(3)

    second = Run(rank, device)
    second.load(path)
    second.train(3)
    assert second.step == 6
    assert second.scheduler.get_last_lr() == first.scheduler.get_last_lr()
    for a, b in zip(first.model.parameters(), second.model.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    for a, b in zip(first.ema.parameters(), second.ema.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
        mean = a.detach().clone()
        dist.all_reduce(mean, op=dist.ReduceOp.AVG)
        torch.testing.assert_close(mean, a.detach(), rtol=1e-5, atol=1e-6)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(2, os.path.join(folder, "checkpoint.pt")), nprocs=2)
    print("ok")
