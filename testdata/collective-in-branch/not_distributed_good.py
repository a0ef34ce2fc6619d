# A rank of -1 stands for a program of one process.
import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=-1)
args = parser.parse_args()

if args.local_rank != -1:
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", args.local_rank)
else:
    device = torch.device("cuda")
if args.local_rank not in [-1, 0]:
    dist.barrier()
model = torch.nn.Linear(4, 2)
if args.local_rank == 0:
    dist.barrier()
model.to(device)
loss = model(torch.rand(2, 4, device=device)).mean()
if args.local_rank != -1:
    dist.all_reduce(loss.detach())
