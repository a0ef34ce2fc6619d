# The first attempt fails after a checkpoint, the parent restarts both workers on a new port and training is completed.
# runs
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

EPOCHS, FAIL_AT = 4, 2


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build():
    torch.manual_seed(81)
    return nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))


def batch(epoch, rank):
    gen = torch.Generator().manual_seed(9 * epoch + rank)
    x = torch.randn(8, 5, generator=gen)
    return x, x.mean(dim=1, keepdim=True)


def train(rank, device, path, attempt):
    model = DDP(build().to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    start = 0
    if os.path.exists(path):
        state = torch.load(path, map_location=device)
        model.module.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        start = state["epoch"]
    assert start == (0 if attempt == 0 else FAIL_AT)
    for epoch in range(start, EPOCHS):
        if attempt == 0 and epoch == FAIL_AT:
            raise RuntimeError("simulated preemption")
        x, y = (t.to(device) for t in batch(epoch, rank))
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        if rank == 0:
            state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}
            torch.save(state, path + ".tmp")
            os.replace(path + ".tmp", path)
        dist.barrier(device_ids=[device.index])


def worker(local_rank, attempt, path):
    os.environ.update(RANK=str(local_rank), LOCAL_RANK=str(local_rank), WORLD_SIZE="2", LOCAL_WORLD_SIZE="2")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", init_method="env://", device_id=device)
    try:
        train(dist.get_rank(), device, path, attempt)
    finally:
        dist.destroy_process_group()


def launch(path, max_restarts):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    failures = []
    for attempt in range(max_restarts + 1):
        os.environ["MASTER_PORT"] = str(free_port())
        try:
            mp.spawn(worker, args=(attempt, path), nprocs=2)
            return failures
        except mp.ProcessRaisedException as error:
            failures.append(str(error))
    raise RuntimeError("too many restarts")


def reference():
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(EPOCHS):
        x, y = (torch.cat(t) for t in zip(batch(epoch, 0), batch(epoch, 1)))
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return model.state_dict()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state.pt")
        failures = launch(path, max_restarts=2)
        assert len(failures) == 1 and "simulated preemption" in failures[0]
        state = torch.load(path, map_location="cpu")
        assert state["epoch"] == EPOCHS
        for name, expected in reference().items():
            torch.testing.assert_close(state["model"][name], expected, rtol=1e-3, atol=1e-5)
    print("ok")
