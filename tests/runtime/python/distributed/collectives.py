"""Checks what each collective gives on N ranks, for all types that NCCL has. Under torchrun."""

import os

import torch
import torch.distributed as dist

TYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64,
         torch.int8, torch.uint8)

# Not in 1.13: groups with a backend for each kind of device, and what came with them.
HAS_BACKENDS = hasattr(dist.ProcessGroup, "_get_backend")


def full(value, size=3, dtype=torch.float32):
    return torch.full((size,), value, device="cuda").to(dtype)


def expect(tensor, values):
    assert tensor.is_cuda, tensor.device
    expected = torch.as_tensor(values).to(tensor.dtype).expand(tensor.shape)
    assert torch.equal(tensor.cpu(), expected), (tensor, expected)


def reductions(rank, size):
    total = size * (size + 1) // 2
    for dtype in TYPES:
        for op, value in ((dist.ReduceOp.SUM, total), (dist.ReduceOp.MAX, size),
                          (dist.ReduceOp.MIN, 1)):
            tensor = full(rank + 1, dtype=dtype)
            dist.all_reduce(tensor, op)
            expect(tensor, value)
    tensor = full(rank + 1)
    dist.all_reduce(tensor, dist.ReduceOp.AVG)
    expect(tensor, total / size)
    tensor = torch.arange(100003, device="cuda") + rank  # is reduced in parts
    dist.all_reduce(tensor)
    expect(tensor, torch.arange(100003) * size + total - size)
    flags = torch.tensor([rank == 0, False, True], device="cuda")
    dist.all_reduce(flags)
    expect(flags, [True, False, True])
    tensor = full(complex(rank + 1, 1), dtype=torch.complex64)
    dist.all_reduce(tensor)
    expect(tensor, complex(total, size))
    tensor = full(1.0)
    dist.all_reduce(tensor, dist._make_nccl_premul_sum(2.0))
    expect(tensor, 2.0 * size)
    tensor = full(rank + 1)
    dist.reduce(tensor, size - 1)
    expect(tensor, total if rank == size - 1 else rank + 1)
    empty = torch.empty(0, device="cuda")
    dist.all_reduce(empty)


def copies(rank, size):
    for dtype in (*TYPES, torch.bool, torch.complex64):
        tensor = full(rank, dtype=dtype)
        dist.broadcast(tensor, 1)
        expect(tensor, torch.tensor(1).to(dtype))
        outputs = [full(0, dtype=dtype) for _ in range(size)]
        dist.all_gather(outputs, full(rank, dtype=dtype))
        for peer, output in enumerate(outputs):
            expect(output, torch.tensor(peer).to(dtype))
    uneven = [full(0, peer + 1) for peer in range(size)]
    dist.all_gather(uneven, full(rank, rank + 1))
    for peer, output in enumerate(uneven):
        expect(output, peer)
    wide = torch.zeros(3, size, device="cuda")
    dist.all_gather(list(wide.unbind(1)), full(rank))  # outputs with gaps
    expect(wide, torch.arange(size))
    outputs = [full(-1) for _ in range(size)] if rank == 0 else None
    dist.gather(full(rank), outputs, 0)
    for peer, output in enumerate(outputs or ()):
        expect(output, peer)
    output = full(-1)
    dist.scatter(output, [full(peer) for peer in range(size)] if rank == 1 else None, 1)
    expect(output, rank)
    tensor = full(0, 3 * size)
    dist.all_gather_into_tensor(tensor, full(rank))
    expect(tensor, torch.arange(size).repeat_interleave(3))


def scatters(rank, size):
    total = size * (size + 1) // 2
    output = full(0)
    dist.reduce_scatter_tensor(output, torch.arange(3 * size, device="cuda") * (rank + 1.0))
    expect(output, (torch.arange(3) + 3 * rank) * total)
    dist.reduce_scatter(output, [full(peer * (rank + 1)) for peer in range(size)])
    expect(output, rank * total)
    output = full(0, size)
    dist.all_to_all_single(output, torch.arange(size, device="cuda") + 10.0 * rank)
    expect(output, torch.arange(size) * 10 + rank)
    # Rank r sends p + 1 rows to rank p.
    output = torch.zeros(size * (rank + 1), 2, device="cuda")
    dist.all_to_all_single(output, torch.full((total, 2), float(rank), device="cuda"),
                           [rank + 1] * size, [peer + 1 for peer in range(size)])
    expect(output, torch.arange(size).repeat_interleave(rank + 1)[:, None])
    outputs = [full(0) for _ in range(size)]
    dist.all_to_all(outputs, [full(10 * rank + peer) for peer in range(size)])
    for peer, output in enumerate(outputs):
        expect(output, 10 * peer + rank)


def point_to_point(rank, size):
    if rank == 0:
        dist.send(full(7), 1)
    elif rank == 1:
        tensor = full(0)
        dist.recv(tensor, 0)
        expect(tensor, 7)
    received = full(0)
    for request in dist.batch_isend_irecv([
            dist.P2POp(dist.isend, full(rank), (rank + 1) % size),
            dist.P2POp(dist.irecv, received, (rank - 1) % size)]):
        request.wait()
    expect(received, (rank - 1) % size)
    requests = [dist.irecv(received, (rank - 1) % size), dist.isend(full(rank), (rank + 1) % size)]
    for request in requests:
        request.wait()
    expect(received, (rank - 1) % size)


def asynchronous(rank, size):
    tensors = [full(i) for i in range(5)]
    works = [dist.all_reduce(tensor, async_op=True) for tensor in tensors]
    for i, (work, tensor) in enumerate(zip(works, tensors)):
        work.wait()
        assert work.is_completed() and work.is_success()
        expect(tensor, i * size)
    future = dist.all_reduce(full(1), async_op=True).get_future()
    expect(future.wait()[0], size)
    doubled = dist.all_reduce(full(1), async_op=True).get_future().then(
        lambda done: done.value()[0] * 2)
    expect(doubled.wait(), 2 * size)
    if not HAS_BACKENDS:
        return
    tensors = [full(1), full(2, 5)]
    with dist._coalescing_manager(device=torch.device("cuda", torch.cuda.current_device())):
        for tensor in tensors:
            dist.all_reduce(tensor)
    expect(tensors[0], size)
    expect(tensors[1], 2 * size)
    outputs = [full(0, 3 * size), full(0, 5 * size)]
    with dist._coalescing_manager(device=torch.device("cuda", torch.cuda.current_device()),
                                  async_ops=True) as manager:
        for output, length in zip(outputs, (3, 5)):
            dist.all_gather_into_tensor(output, full(rank, length))
    manager.wait()
    for output, length in zip(outputs, (3, 5)):
        expect(output, torch.arange(size).repeat_interleave(length))


def groups(rank, size):
    pair = dist.new_group([0, 1])
    if rank < 2:
        tensor = full(rank + 1)
        dist.all_reduce(tensor, group=pair)
        expect(tensor, 3)
        dist.barrier(group=pair)
        dist.destroy_process_group(pair)
    with_options = dist.new_group(list(range(size)),
                                  pg_options=dist.ProcessGroupNCCL.Options(True))
    tensor = full(1)
    dist.all_reduce(tensor, group=with_options)
    expect(tensor, size)
    gathered = [None] * size
    dist.all_gather_object(gathered, {"rank": rank})
    assert [one["rank"] for one in gathered] == list(range(size))
    texts = ["from rank 0"] if rank == 0 else [None]
    dist.broadcast_object_list(texts, 0)
    assert texts == ["from rank 0"]
    if HAS_BACKENDS:
        import torch.distributed._functional_collectives as functional
        expect(functional.all_reduce(full(1), "sum", dist.group.WORLD), size)
    host = dist.new_group(backend="gloo")
    tensor = full(rank + 1)
    dist.all_reduce(tensor, group=host)
    expect(tensor, size * (size + 1) // 2)
    tensor = full(rank)
    dist.broadcast(tensor, 1, group=host)
    expect(tensor, 1)
    tensor = torch.ones(2)
    dist.all_reduce(tensor, group=host)
    assert tensor.tolist() == [size] * 2
    dist.monitored_barrier(group=host)


def split(rank, size):
    if not hasattr(dist, "split_group") or "BIND" not in os.environ:
        return
    part = dist.split_group(split_ranks=[[0, 1], list(range(2, size))] if size > 2 else [[0, 1]])
    tensor = full(1)
    if part is not None:
        dist.all_reduce(tensor, group=part)
        expect(tensor, dist.get_world_size(part))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", **({"device_id": device} if "BIND" in os.environ else {}))
    assert dist.is_nccl_available()
    group = dist.group.WORLD
    assert isinstance(group._get_backend(device) if HAS_BACKENDS else group, dist.ProcessGroupNCCL)
    rank, size = dist.get_rank(), dist.get_world_size()
    for check in (reductions, copies, scatters, point_to_point, asynchronous, groups, split):
        check(rank, size)
        dist.barrier()
        if rank == 0:
            print("ok", check.__name__, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
