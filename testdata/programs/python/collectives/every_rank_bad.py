# Each process has its model and its batches on the first GPU.
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = DistributedDataParallel(torch.nn.Linear(4, 2).to(device))  # expect: rank-device
for _ in range(3):
    model(torch.rand(8, 4, device=device)).sum().backward()
