# FSDP with an auto-wrap policy, gradient clipping and a full state dict on rank 0 repeats CPU training.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.fsdp import FullStateDictConfig
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import ShardingStrategy, StateDictType
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.tanh(self.up(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(5, 8)
        self.blocks = nn.ModuleList([Block(8) for _ in range(2)])
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def build():
    torch.manual_seed(14)
    return Net()


def batch(step, rank):
    gen = torch.Generator().manual_seed(20 * step + rank)
    return torch.randn(6, 5, generator=gen), torch.randint(0, 3, (6,), generator=gen)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = FSDP(
        build(),
        auto_wrap_policy=ModuleWrapPolicy({Block}),
        sharding_strategy=ShardingStrategy.FULL_SHARD,
        device_id=device,
        use_orig_params=True,
    )
    assert sum(isinstance(m, FSDP) for m in model.modules()) == 3
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    single = build()
    single_optimizer = torch.optim.SGD(single.parameters(), lr=0.1)

    for step in range(3):
        x, y = batch(step, rank)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
        norm = model.clip_grad_norm_(0.5)
        optimizer.step()

        single_optimizer.zero_grad()
        x, y = (torch.cat(t) for t in zip(*[batch(step, r) for r in range(world_size)]))
        nn.functional.cross_entropy(single(x), y).backward()
        expected_norm = nn.utils.clip_grad_norm_(single.parameters(), 0.5)
        single_optimizer.step()
        torch.testing.assert_close(norm.cpu(), expected_norm, rtol=1e-3, atol=1e-5)

    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        state = model.state_dict()
    if rank == 0:
        expected = single.state_dict()
        assert set(state) == set(expected)
        for name, tensor in state.items():
            assert tensor.device.type == "cpu"
            torch.testing.assert_close(tensor, expected[name], rtol=1e-3, atol=1e-4, msg=lambda m: f"{name}: {m}")
    else:
        assert len(state) == 0
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
