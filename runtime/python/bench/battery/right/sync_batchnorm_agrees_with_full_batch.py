# SyncBatchNorm under DDP gives the outputs, gradients and running statistics of one process with the full batch.
# runs
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


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.bn = nn.BatchNorm1d(8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))


def full_batch():
    gen = torch.Generator().manual_seed(77)
    return torch.randn(16, 6, generator=gen), torch.randint(0, 3, (16,), generator=gen)


def build():
    torch.manual_seed(8)
    return ConvNet()


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = nn.SyncBatchNorm.convert_sync_batchnorm(build())
    assert isinstance(model.bn, nn.SyncBatchNorm)
    model = DDP(model.to(device), device_ids=[rank])
    x, y = full_batch()
    part = slice(rank * 8, rank * 8 + 8)
    out = model(x[part].to(device))
    loss = nn.functional.cross_entropy(out, y[part].to(device))
    loss.backward()

    single = build()
    reference_out = single(x)
    nn.functional.cross_entropy(reference_out, y).backward()
    torch.testing.assert_close(out.detach().cpu(), reference_out[part].detach(), rtol=1e-4, atol=1e-4)
    for (name, ours), expected in zip(model.module.named_parameters(), single.parameters()):
        torch.testing.assert_close(ours.grad.cpu(), expected.grad, rtol=1e-3, atol=1e-5, msg=lambda m: f"{name}: {m}")
    torch.testing.assert_close(model.module.bn.running_mean.cpu(), single.bn.running_mean, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(model.module.bn.running_var.cpu(), single.bn.running_var, rtol=1e-4, atol=1e-5)

    model.eval()
    with torch.no_grad():
        single.eval()
        torch.testing.assert_close(model(x.to(device)).cpu(), single(x), rtol=1e-4, atol=1e-4)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
