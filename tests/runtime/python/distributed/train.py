"""Trains a small network on two ranks and prints rank 0's losses, one a line.

    train.py STRATEGY [--device=cuda|cpu]

Under torchrun. On the CPU the group is gloo's: the losses to compare with.
"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn

STEPS = 4


def network():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(),
                         nn.Linear(32, 8))


def ddp(net, device):
    devices = [device.index] if device.type == "cuda" else None
    net = nn.parallel.DistributedDataParallel(net, device_ids=devices)
    return net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def ddp_compressed(net, device):
    from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
    net, optimizer = ddp(net, device)
    net.register_comm_hook(None, default_hooks.bf16_compress_hook)
    return net, optimizer


def ddp_power_sgd(net, device):
    from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
    net, optimizer = ddp(net, device)
    state = powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=1, start_powerSGD_iter=2)
    net.register_comm_hook(state, powerSGD_hook.powerSGD_hook)
    return net, optimizer


def zero(net, device):
    from torch.distributed.optim import ZeroRedundancyOptimizer
    net, _ = ddp(net, device)
    return net, ZeroRedundancyOptimizer(net.parameters(), torch.optim.Adam, lr=0.01)


def fsdp(net, device):
    from torch.distributed.fsdp import FullyShardedDataParallel
    net = FullyShardedDataParallel(net, device_id=device)
    return net, torch.optim.Adam(net.parameters(), lr=0.01)


def fsdp2(net, device):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    mesh = init_device_mesh(device.type, (dist.get_world_size(),))
    for layer in net:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    fully_shard(net, mesh=mesh)
    return net, torch.optim.Adam(net.parameters(), lr=0.01)


def tensor_parallel(net, device):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate
    from torch.distributed.tensor.parallel import (ColwiseParallel, RowwiseParallel,
                                                   parallelize_module)
    mesh = init_device_mesh(device.type, (dist.get_world_size(),))
    # Every layer: optimizers do not take DTensors and tensors together on GPUs.
    net = parallelize_module(net, mesh, {
        "0": ColwiseParallel(), "2": RowwiseParallel(),
        "4": ColwiseParallel(output_layouts=Replicate())})
    return net, torch.optim.Adam(net.parameters(), lr=0.01)


STRATEGIES = {function.__name__: function for function in
              (ddp, ddp_compressed, ddp_power_sgd, zero, fsdp, fsdp2, tensor_parallel)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strategy", choices=STRATEGIES)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--bind", action="store_true", help="init_process_group(device_id=...)")
    arguments = parser.parse_args()
    rank = int(os.environ["LOCAL_RANK"])
    if arguments.device == "cuda":
        device = torch.device("cuda", rank)
        torch.cuda.set_device(device)
        dist.init_process_group("nccl", **({"device_id": device} if arguments.bind else {}))
    else:
        device = torch.device("cpu")
        dist.init_process_group("gloo")
    torch.manual_seed(1)
    net, optimizer = STRATEGIES[arguments.strategy](network().to(device), device)
    is_replicated = arguments.strategy == "tensor_parallel"
    data = torch.Generator().manual_seed(2 if is_replicated else 2 + rank)
    for _ in range(STEPS):
        inputs = torch.randn(8, 16, generator=data).to(device)
        targets = torch.randint(8, (8,), generator=data).to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(inputs), targets)
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            print(f"loss {total.item():.6f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
