# A fully_shard model and its AdamW state are saved with torch.distributed.checkpoint and training resumes from it.
# runs
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Trainer:
    def __init__(self, mesh, device, seed):
        torch.manual_seed(seed)
        self.device = device
        self.model = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 12), nn.GELU(), nn.Linear(12, 2)).to(device)
        for layer in self.model:
            if isinstance(layer, nn.Linear):
                fully_shard(layer, mesh=mesh)
        fully_shard(self.model, mesh=mesh)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2)

    def step(self, index, rank):
        gen = torch.Generator().manual_seed(40 * index + rank)
        x = torch.randn(8, 6, generator=gen).to(self.device)
        y = torch.randn(8, 2, generator=gen).to(self.device)
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.detach()

    def save(self, folder):
        model_state, optimizer_state = get_state_dict(self.model, self.optimizer)
        dcp.save({"model": model_state, "optimizer": optimizer_state}, checkpoint_id=folder)

    def load(self, folder):
        model_state, optimizer_state = get_state_dict(self.model, self.optimizer)
        state = {"model": model_state, "optimizer": optimizer_state}
        dcp.load(state, checkpoint_id=folder)
        set_state_dict(
            self.model,
            self.optimizer,
            model_state_dict=state["model"],
            optim_state_dict=state["optimizer"],
        )


def worker(rank, world_size, folder):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("cpu:gloo,cuda:nccl", rank=rank, world_size=world_size, device_id=device)
    mesh = init_device_mesh("cuda", (world_size,), mesh_dim_names=("shard",))

    first = Trainer(mesh, device, seed=1)
    for index in range(2):
        first.step(index, rank)
    first.save(folder)
    continued = [first.step(index, rank) for index in range(2, 5)]

    second = Trainer(mesh, device, seed=99)
    second.load(folder)
    resumed = [second.step(index, rank) for index in range(2, 5)]

    torch.testing.assert_close(torch.stack(resumed), torch.stack(continued), rtol=1e-4, atol=1e-5)
    for a, b in zip(first.model.parameters(), second.model.parameters()):
        torch.testing.assert_close(a.full_tensor(), b.full_tensor(), rtol=1e-4, atol=1e-5)
    assert os.path.exists(os.path.join(folder, ".metadata"))
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    with tempfile.TemporaryDirectory() as base:
        mp.spawn(worker, args=(2, os.path.join(base, "step2")), nprocs=2)
    print("ok")
