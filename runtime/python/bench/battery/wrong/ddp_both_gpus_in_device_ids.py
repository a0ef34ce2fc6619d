# Every rank passes both GPUs in device_ids, as if DDP were DataParallel.
# raises: ProcessRaisedException: device_ids can only be None or contain a single element.
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


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 4, kernel_size=3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(4),
        nn.Flatten(),
        nn.Linear(64, 3),
    )


def main_worker(rank):
    world_size = int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=torch.device("cuda", rank))
    torch.manual_seed(1)
    model = build_model().cuda(rank)
    gpus = list(range(torch.cuda.device_count()))
    model = DDP(model, device_ids=gpus, output_device=rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")

    for step in range(3):
        images = torch.randn(8, 1, 12, 12, device=f"cuda:{rank}")
        labels = torch.randint(0, 3, (8,), device=f"cuda:{rank}")
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    if rank == 0:
        print("last loss", loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    os.environ["WORLD_SIZE"] = "2"
    mp.spawn(main_worker, nprocs=2)  # raises
