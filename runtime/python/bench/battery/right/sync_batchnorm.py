# SyncBatchNorm over two GPUs equals BatchNorm over the whole batch
# runs
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

def make():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))


def worker(rank, world, port):
    dev = setup(rank, world, port)
    net = nn.SyncBatchNorm.convert_sync_batchnorm(make()).to(dev)
    assert isinstance(net[1], nn.SyncBatchNorm)
    net = DDP(net, device_ids=[rank])
    ref = make()
    x = torch.randn(12, 5, generator=torch.Generator().manual_seed(1)) * 3 + 1
    out = net(x.chunk(2)[rank].to(dev))
    want = ref(x)
    assert torch.allclose(out.detach().cpu(), want.chunk(2)[rank], atol=1e-3)
    out.pow(2).mean().backward()
    want.pow(2).mean().backward()
    for (n, p), q in zip(net.module.named_parameters(), ref.parameters()):
        assert torch.allclose(p.grad.cpu(), q.grad, atol=1e-3), n
    bn, rbn = net.module[1], ref[1]
    assert torch.allclose(bn.running_mean.cpu(), rbn.running_mean, atol=1e-3)
    assert torch.allclose(bn.running_var.cpu(), rbn.running_var, atol=1e-3)
    assert bn.num_batches_tracked.item() == 1 and bn.num_batches_tracked.device == dev
    net.eval(), ref.eval()
    y = net(x.to(dev)).detach().cpu()
    assert torch.allclose(y, ref(x), atol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
