# DTensor placements (Shard, Replicate, Partial) and functional collectives over a device mesh, checked against full tensors.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check_placements(mesh, rank, device):
    torch.manual_seed(0)
    a, b = torch.randn(6, 4), torch.randn(4, 8)
    rows = distribute_tensor(a.to(device), mesh, [Shard(0)])
    columns = distribute_tensor(b.to(device), mesh, [Shard(1)])
    whole = distribute_tensor(b.to(device), mesh, [Replicate()])
    assert rows.shape == (6, 4) and rows.to_local().shape == (3, 4)
    torch.testing.assert_close(rows.to_local().cpu(), a[3 * rank : 3 * rank + 3])

    product = rows @ whole
    assert product.placements == (Shard(0),)
    torch.testing.assert_close(product.full_tensor().cpu(), a @ b, rtol=1e-4, atol=1e-5)
    other = rows.redistribute(placements=[Replicate()]) @ columns
    torch.testing.assert_close(other.full_tensor().cpu(), a @ b, rtol=1e-4, atol=1e-5)
    swapped = rows.redistribute(placements=[Shard(1)])
    torch.testing.assert_close(swapped.to_local().cpu(), a[:, 2 * rank : 2 * rank + 2])

    partial = DTensor.from_local(torch.full((2, 3), rank + 1.0, device=device), mesh, [Partial()])
    reduced = partial.redistribute(placements=[Replicate()])
    assert bool((reduced.to_local() == 3.0).all())
    total = (rows * 2).sum().full_tensor()
    torch.testing.assert_close(total.cpu(), (a * 2).sum(), rtol=1e-4, atol=1e-4)

    weight = distribute_tensor(b.to(device), mesh, [Shard(0)]).requires_grad_()
    x = distribute_tensor(a.to(device), mesh, [Replicate()])
    (x @ weight).pow(2).sum().full_tensor().backward()
    reference = b.clone().requires_grad_()
    (a @ reference).pow(2).sum().backward()
    torch.testing.assert_close(weight.grad.full_tensor().cpu(), reference.grad, rtol=1e-3, atol=1e-3)


def check_functional(rank, device):
    group = dist.group.WORLD
    base = torch.arange(4.0, device=device) + 10 * rank
    summed = funcol.all_reduce(base, "sum", group)
    assert (summed + 0).tolist() == [10.0, 12.0, 14.0, 16.0]
    assert base.tolist() == [i + 10.0 * rank for i in range(4)]
    gathered = funcol.all_gather_tensor(base.view(2, 2), gather_dim=1, group=group)
    assert (gathered + 0).tolist() == [[0.0, 1.0, 10.0, 11.0], [2.0, 3.0, 12.0, 13.0]]
    scattered = funcol.reduce_scatter_tensor(base, "sum", scatter_dim=0, group=group)
    assert (scattered + 0).tolist() == ([10.0, 12.0] if rank == 0 else [14.0, 16.0])
    received = funcol.wait_tensor(funcol.broadcast(base, 1, group))
    assert received.tolist() == [10.0, 11.0, 12.0, 13.0]


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    mesh = init_device_mesh("cuda", (world_size,))
    check_placements(mesh, rank, device)
    check_functional(rank, device)
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
