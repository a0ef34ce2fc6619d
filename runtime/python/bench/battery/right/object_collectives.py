# object collectives, sub groups and barriers between two GPU processes
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    conf = [{"lr": 0.1, "layers": [1, 2]} if rank == 0 else None, "seed" if rank == 0 else None]
    dist.broadcast_object_list(conf, src=0)
    assert conf == [{"lr": 0.1, "layers": [1, 2]}, "seed"]

    stats = [None] * world
    dist.all_gather_object(stats, {"rank": rank, "device": torch.cuda.current_device(), "n": 10 * rank})
    assert [s["device"] for s in stats] == [0, 1]
    assert sum(s["n"] for s in stats) == 10

    part = [None]
    dist.scatter_object_list(part, ["first", ("second", 2)] if rank == 0 else None, src=0)
    assert part[0] == ("first" if rank == 0 else ("second", 2))

    box = [None] * world if rank == 1 else None
    dist.gather_object(f"from {rank}", box, dst=1)
    if rank == 1:
        assert box == ["from 0", "from 1"]

    # tensors inside of objects keep their device
    moved = [torch.arange(3, device=dev) if rank == 0 else None]
    dist.broadcast_object_list(moved, src=0)
    assert moved[0].tolist() == [0, 1, 2] and moved[0].device == torch.device("cuda", 0)

    both = dist.new_group([0, 1])
    only = dist.new_group([1])
    assert dist.get_rank(both) == rank
    assert dist.get_rank(only) == (0 if rank == 1 else -1)
    t = torch.ones(2, device=dev)
    dist.all_reduce(t, group=both)
    if rank == 1:
        dist.all_reduce(t, group=only)
    assert t.tolist() == [2.0, 2.0]
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
