# the tensor collectives of NCCL, some of them asynchronous
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
    assert dist.get_backend() == "nccl" and dist.get_world_size() == 2 and dist.get_rank() == rank
    for op, want in [
        (dist.ReduceOp.SUM, [3.0, 7.0]),
        (dist.ReduceOp.PRODUCT, [2.0, 12.0]),
        (dist.ReduceOp.MAX, [2.0, 4.0]),
        (dist.ReduceOp.MIN, [1.0, 3.0]),
        (dist.ReduceOp.AVG, [1.5, 3.5]),
    ]:
        t = torch.tensor([1.0 + rank, 3.0 + rank], device=dev)
        dist.all_reduce(t, op=op)
        assert t.tolist() == want, (op, t)

    out = torch.empty(4, dtype=torch.int64, device=dev)
    dist.all_gather_into_tensor(out, torch.tensor([rank, rank * 10], device=dev))
    assert out.tolist() == [0, 0, 1, 10]

    rs = torch.empty(2, device=dev)
    dist.reduce_scatter_tensor(rs, torch.arange(4.0, device=dev) + rank)
    assert rs.tolist() == ([1.0, 3.0] if rank == 0 else [5.0, 7.0])

    b = torch.full((2, 2), float(rank), device=dev, dtype=torch.float64)
    work = dist.broadcast(b, src=1, async_op=True)
    work.wait()
    assert b.sum().item() == 4.0

    send = torch.arange(5.0, device=dev) + 10 * rank
    splits = [2, 3]
    recv = torch.empty(splits[rank] * 2, device=dev)
    dist.all_to_all_single(recv, send, output_split_sizes=[splits[rank]] * 2, input_split_sizes=splits)
    assert recv.tolist() == ([0.0, 1.0, 10.0, 11.0] if rank == 0 else [2.0, 3.0, 4.0, 12.0, 13.0, 14.0])

    red = torch.ones(3, device=dev, dtype=torch.bfloat16) * (rank + 1)
    dist.reduce(red, dst=0)
    if rank == 0:
        assert red.float().tolist() == [3.0] * 3
    works = [dist.all_reduce(torch.ones(1000, device=dev), async_op=True) for _ in range(4)]
    for w in works:
        w.wait()
    torch.cuda.synchronize()
    assert all(w.is_completed() for w in works)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
