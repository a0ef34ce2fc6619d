# fully_shard with a bfloat16 policy: sharded float32 parameters and gradients, bfloat16 compute, close to CPU training.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, Shard


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        self.seen = (x.dtype, self.fc.weight.dtype)
        return x + torch.relu(self.fc(x))


def build():
    torch.manual_seed(23)
    return nn.Sequential(Layer(8), Layer(8), nn.Linear(8, 4))


def batch(step, rank):
    gen = torch.Generator().manual_seed(30 * step + rank)
    return torch.randn(8, 8, generator=gen), torch.randn(8, 4, generator=gen)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    model = build().to(device)
    for layer in model:
        fully_shard(layer, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
    assert isinstance(model, FSDPModule)
    for param in model.parameters():
        assert isinstance(param, DTensor) and param.placements == (Shard(0),)
        assert param.dtype == torch.float32
        assert param.to_local().shape[0] * world_size == param.shape[0]

    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    single = build()
    single_optimizer = torch.optim.SGD(single.parameters(), lr=0.05)
    for step in range(3):
        x, y = batch(step, rank)
        out = model(x.to(device))
        assert out.dtype == torch.bfloat16
        assert model[0].seen == (torch.bfloat16, torch.bfloat16)
        nn.functional.mse_loss(out.float(), y.to(device)).backward()
        assert all(p.grad.dtype == torch.float32 and isinstance(p.grad, DTensor) for p in model.parameters())
        optimizer.step()
        optimizer.zero_grad()

        x, y = (torch.cat(t) for t in zip(*[batch(step, r) for r in range(world_size)]))
        nn.functional.mse_loss(single(x), y).backward()
        single_optimizer.step()
        single_optimizer.zero_grad()

    full = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    for name, expected in single.state_dict().items():
        assert not isinstance(full[name], DTensor)
        torch.testing.assert_close(full[name].cpu(), expected, rtol=5e-2, atol=3e-2, msg=lambda m: f"{name}: {m}")

    replacement = {name: torch.full_like(tensor, 0.25) for name, tensor in full.items()}
    set_model_state_dict(model, replacement, options=StateDictOptions(full_state_dict=True))
    for param in model.parameters():
        assert bool((param.to_local() == 0.25).all())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
