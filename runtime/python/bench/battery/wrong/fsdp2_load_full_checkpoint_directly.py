# A full (unsharded) checkpoint is given to load_state_dict of a model that fully_shard has sharded.
# raises: ProcessRaisedException: an exception occurred ... got mixed torch.Tensor and DTensor
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return x + torch.relu(self.fc(self.norm(x)))


def build(dim=8, depth=2):
    return nn.Sequential(*[Block(dim) for _ in range(depth)], nn.Linear(dim, 2))


def worker(rank, world_size, path):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)

    model = build().to(device)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model:
        fully_shard(layer, mp_policy=policy)
    fully_shard(model, mp_policy=policy)

    pretrained = torch.load(path, map_location=device)
    model.load_state_dict(pretrained)

    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x = torch.randn(4, 8, device=device)
    loss = model(x).float().pow(2).mean()
    loss.backward()
    optimizer.step()
    print(rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = os.path.join(folder, "pretrained.pt")
        torch.manual_seed(1)
        torch.save(build().state_dict(), checkpoint)
        mp.spawn(worker, args=(2, checkpoint), nprocs=2)  # raises
