# the DDP wrapper's state_dict was saved, evaluation loads it into the bare model
# raises: RuntimeError: Error(s) in loading state_dict for Net: ... Missing key(s) in state_dict: "fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias". ... Unexpected key(s) in state_dict: "module.fc1.weight"
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def worker(rank, world, rdzv, path):
    dev = setup(rank, world, rdzv)
    model = DDP(Net().to(dev), device_ids=[rank])
    model(torch.randn(3, 4, device=dev)).sum().backward()
    if rank == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        ckpt = os.path.join(tmp, "net.pt")
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv"), ckpt), nprocs=2)
        net = Net().to("cuda:0").eval()
        state = torch.load(ckpt, map_location="cuda:0")
        net.load_state_dict(state)  # raises
        print(net(torch.zeros(1, 4, device="cuda:0")))
