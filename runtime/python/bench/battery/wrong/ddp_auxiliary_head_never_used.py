# DDP without find_unused_parameters, while an auxiliary head takes no part in the loss.
# raises: ProcessRaisedException: Expected to have finished reduction in the prior iteration before starting a new one
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class TwoHeadNet(nn.Module):
    def __init__(self, use_aux=False):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 24), nn.ReLU())
        self.main_head = nn.Linear(24, 4)
        self.aux_head = nn.Linear(24, 4)
        self.use_aux = use_aux

    def forward(self, x):
        h = self.trunk(x)
        logits = self.main_head(h)
        if self.use_aux:
            return logits, self.aux_head(h)
        return logits, None


def loss_of(outputs, labels):
    logits, aux = outputs
    loss = nn.functional.cross_entropy(logits, labels)
    if aux is not None:
        loss = loss + 0.3 * nn.functional.cross_entropy(aux, labels)
    return loss


def run(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(5)
    model = DDP(TwoHeadNet(use_aux=False).to(device), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    gen = torch.Generator().manual_seed(rank)
    for _ in range(4):
        x = torch.randn(16, 8, generator=gen).to(device)
        labels = torch.randint(0, 4, (16,), generator=gen).to(device)
        optimizer.zero_grad()
        loss = loss_of(model(x), labels)
        loss.backward()
        optimizer.step()
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(run, args=(2,), nprocs=2)  # raises
