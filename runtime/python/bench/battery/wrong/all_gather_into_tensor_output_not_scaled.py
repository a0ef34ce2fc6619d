# The output of all_gather_into_tensor has the size of one rank's part instead of world size times that.
# raises: ProcessRaisedException: Output tensor size must be input_size * comm_size
# raises: ProcessRaisedException: output tensor size must be equal to world_size times input tensor size
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def encode(model, rank, device):
    gen = torch.Generator().manual_seed(rank)
    batch = torch.randn(6, 8, generator=gen).to(device)
    return nn.functional.normalize(model(batch), dim=1)


def gather_embeddings(local):
    gathered = torch.empty_like(local)
    dist.all_gather_into_tensor(gathered, local.contiguous())
    return gathered


def contrastive_worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(2)
    image_tower = nn.Linear(8, 4).to(device)
    text_tower = nn.Linear(8, 4).to(device)

    with torch.no_grad():
        image = encode(image_tower, rank, device)
        text = encode(text_tower, rank + 10, device)
        all_text = gather_embeddings(text)
        logits = image @ all_text.t() / 0.07
        labels = torch.arange(image.size(0), device=device) + rank * image.size(0)
        loss = nn.functional.cross_entropy(logits, labels)
    dist.all_reduce(loss, op=dist.ReduceOp.AVG)
    if rank == 0:
        print(f"contrastive loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(contrastive_worker, args=(2,), nprocs=2)  # raises
