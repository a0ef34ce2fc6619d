# DistributedSampler with two ranks: disjoint halves, other order in each epoch, metrics reduced over the GPUs
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    n = 21
    ds = TensorDataset(torch.arange(n), torch.arange(n).float() ** 2)
    sampler = DistributedSampler(ds, shuffle=True, seed=11)
    assert sampler.num_replicas == 2 and sampler.rank == rank and len(sampler) == 11
    loader = DataLoader(ds, batch_size=4, sampler=sampler, pin_memory=True)
    orders = []
    for epoch in range(2):
        sampler.set_epoch(epoch)
        ids = []
        total = torch.zeros((), device=dev)
        for i, sq in loader:
            assert i.is_pinned()
            i, sq = i.to(dev, non_blocking=True), sq.to(dev, non_blocking=True)
            total += (sq - i.float() ** 2).abs().sum() + i.numel()
            ids += i.tolist()
        dist.all_reduce(total)
        assert total.item() == 22
        mine = torch.tensor(ids, device=dev)
        both = torch.empty(22, dtype=torch.int64, device=dev)
        dist.all_gather_into_tensor(both, mine)
        assert set(both.tolist()) == set(range(n))
        orders.append(ids)
    assert orders[0] != orders[1]
    seq = DistributedSampler(ds, shuffle=False, drop_last=True)
    assert list(seq) == list(range(rank, 20, 2))
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
