# Every collective of torch.distributed once on two GPUs, with its result checked.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def reductions(rank, device):
    for op, expected in ((dist.ReduceOp.SUM, 7.0), (dist.ReduceOp.MAX, 5.0), (dist.ReduceOp.MIN, 2.0),
                         (dist.ReduceOp.PRODUCT, 10.0), (dist.ReduceOp.AVG, 3.5)):
        value = torch.full((3,), 2.0 + 3.0 * rank, device=device)
        dist.all_reduce(value, op=op)
        assert value.tolist() == [expected] * 3, (op, value)
    value = torch.tensor([rank + 1], device=device)
    dist.reduce(value, dst=1)
    if rank == 1:
        assert value.item() == 3
    work = dist.all_reduce(half := torch.ones(4, device=device, dtype=torch.bfloat16), async_op=True)
    work.wait()
    assert half.float().sum().item() == 8.0


def moving(rank, world_size, device):
    data = torch.arange(4, device=device) if rank == 1 else torch.zeros(4, dtype=torch.long, device=device)
    dist.broadcast(data, src=1)
    assert data.tolist() == [0, 1, 2, 3]
    parts = [torch.empty(2, device=device) for _ in range(world_size)]
    dist.all_gather(parts, torch.full((2,), float(rank), device=device))
    assert [p.tolist() for p in parts] == [[0.0, 0.0], [1.0, 1.0]]
    flat = torch.empty(2 * world_size, device=device)
    dist.all_gather_into_tensor(flat, torch.full((2,), rank + 0.5, device=device))
    assert flat.tolist() == [0.5, 0.5, 1.5, 1.5]
    piece = torch.empty(2, device=device)
    dist.reduce_scatter_tensor(piece, torch.arange(4.0, device=device) * (rank + 1))
    assert piece.tolist() == ([0.0, 3.0] if rank == 0 else [6.0, 9.0])
    dist.reduce_scatter(piece, [torch.full((2,), i + rank + 1.0, device=device) for i in range(world_size)])
    assert piece.tolist() == [3.0 + 2 * rank] * 2
    collected = [torch.empty(1, device=device) for _ in range(world_size)] if rank == 0 else None
    dist.gather(torch.tensor([rank * 10.0], device=device), collected, dst=0)
    if rank == 0:
        assert [c.item() for c in collected] == [0.0, 10.0]
    mine = torch.empty(2, device=device)
    chunks = [torch.tensor([1.0, 2.0], device=device), torch.tensor([3.0, 4.0], device=device)]
    dist.scatter(mine, chunks if rank == 0 else None, src=0)
    assert mine.tolist() == [1.0 + 2 * rank, 2.0 + 2 * rank]
    received = [torch.empty(1, device=device) for _ in range(world_size)]
    dist.all_to_all(received, [torch.tensor([10.0 * rank + i], device=device) for i in range(world_size)])
    assert [r.item() for r in received] == [float(rank), 10.0 + rank]


def uneven_and_p2p(rank, device):
    send, receive = ([1, 3], [1, 2]) if rank == 0 else ([2, 2], [3, 2])
    out = torch.empty(sum(receive), device=device)
    dist.all_to_all_single(out, torch.arange(4.0, device=device) + 10 * rank, receive, send)
    assert out.tolist() == ([0.0, 10.0, 11.0] if rank == 0 else [1.0, 2.0, 3.0, 12.0, 13.0])
    box = torch.full((2,), float(rank), device=device)
    if rank == 0:
        dist.send(box, dst=1)
    else:
        assert dist.recv(box, src=0) == 0
    assert box.tolist() == [0.0, 0.0]
    incoming = torch.empty(3, device=device)
    outgoing = torch.full((3,), float(rank + 1), device=device)
    ops = [dist.P2POp(dist.isend, outgoing, 1 - rank), dist.P2POp(dist.irecv, incoming, 1 - rank)]
    for work in dist.batch_isend_irecv(ops):
        work.wait()
    assert incoming.tolist() == [2.0 - rank] * 3
    tensors = [torch.full((n,), float(rank + 1), device=device) for n in (1, 2, 3)]
    with dist._coalescing_manager(async_ops=True) as manager:
        for tensor in tensors:
            dist.all_reduce(tensor)
    manager.wait()
    assert all(bool((t == 3.0).all()) for t in tensors)


def objects_and_groups(rank, world_size, device):
    everything = [None] * world_size
    dist.all_gather_object(everything, {"rank": rank, "name": "x" * (rank + 1)})
    assert everything[1] == {"rank": 1, "name": "xx"}
    gathered = [None] * world_size if rank == 1 else None
    dist.gather_object(("from", rank), gathered, dst=1)
    assert rank == 0 or gathered == [("from", 0), ("from", 1)]
    part = [None]
    dist.scatter_object_list(part, ["a", [1, 2]] if rank == 0 else [None, None], src=0)
    assert part == (["a"] if rank == 0 else [[1, 2]])
    groups = [dist.new_group([r]) for r in range(world_size)]
    assert dist.get_process_group_ranks(groups[rank]) == [rank]
    assert dist.get_group_rank(groups[rank], rank) == 0 and dist.get_rank(groups[1 - rank]) == -1
    alone = torch.tensor([rank + 5.0], device=device)
    dist.all_reduce(alone, group=groups[rank])
    assert alone.item() == rank + 5.0


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    assert dist.get_backend() == "nccl" and dist.get_world_size() == 2
    reductions(rank, device)
    moving(rank, world_size, device)
    uneven_and_p2p(rank, device)
    objects_and_groups(rank, world_size, device)
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
