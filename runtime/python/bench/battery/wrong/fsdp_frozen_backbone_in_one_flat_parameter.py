# FSDP with flat parameters (use_orig_params=False) around a model whose backbone is frozen.
# raises: ProcessRaisedException: Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class FineTuneModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU())
        self.head = nn.Linear(20, 3)

    def freeze_backbone(self):
        for param in self.backbone.parameters():
            param.requires_grad_(False)

    def forward(self, x):
        return self.head(self.backbone(x))


def finetune(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(0)
    model = FineTuneModel()
    model.freeze_backbone()
    precision = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    model = FSDP(model, device_id=device, mixed_precision=precision, use_orig_params=False)
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-3)

    gen = torch.Generator().manual_seed(rank)
    for _ in range(3):
        x = torch.randn(8, 10, generator=gen).to(device)
        y = torch.randint(0, 3, (8,), generator=gen).to(device)
        loss = nn.functional.cross_entropy(model(x).float(), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(finetune, args=(2,), nprocs=2)  # raises
