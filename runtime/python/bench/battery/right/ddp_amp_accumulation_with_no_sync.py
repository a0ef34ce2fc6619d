# DDP with autocast, GradScaler and gradient accumulation under no_sync agrees with a CPU run of the whole batch.
# runs
import contextlib
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

ACCUMULATE = 3
STEPS = 4


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build_model():
    torch.manual_seed(12)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))


def micro_batch(step, part, rank):
    gen = torch.Generator().manual_seed(1000 * step + 10 * part + rank)
    x = torch.randn(4, 8, generator=gen)
    return x, x[:, :3].sum(dim=1, keepdim=True)


def reference():
    model = build_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(STEPS):
        parts = [micro_batch(step, part, rank) for part in range(ACCUMULATE) for rank in range(2)]
        x, y = (torch.cat(tensors) for tensors in zip(*parts))
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return model


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = DDP(build_model().to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cuda", init_scale=256.0)

    for step in range(STEPS):
        optimizer.zero_grad(set_to_none=True)
        for part in range(ACCUMULATE):
            x, y = (t.to(device) for t in micro_batch(step, part, rank))
            last = part == ACCUMULATE - 1
            with contextlib.nullcontext() if last else model.no_sync():
                with torch.autocast("cuda", dtype=torch.float16):
                    prediction = model(x)
                loss = nn.functional.mse_loss(prediction.float(), y) / ACCUMULATE
                scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    assert scaler.get_scale() == 256.0

    flat = torch.cat([p.detach().flatten() for p in model.parameters()])
    both = [torch.empty_like(flat) for _ in range(world_size)]
    dist.all_gather(both, flat)
    assert torch.equal(both[0], both[1])
    expected = torch.cat([p.detach().flatten() for p in reference().parameters()])
    torch.testing.assert_close(flat.cpu(), expected, rtol=2e-2, atol=2e-2)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
