"""One mistake of a distributed program each, by name: `faults.py CASE`, on two ranks."""

import os
import signal
import sys
import time

import torch
import torch.distributed as dist

RANK = int(os.environ["RANK"])


def ones(size=4, dtype=torch.float32, device=None):
    return torch.ones(size, dtype=dtype, device=f"cuda:{RANK if device is None else device}")


def start(**options):
    dist.init_process_group("nccl", **options)
    torch.cuda.set_device(RANK)


def call_other_collectives():
    if RANK == 0:
        dist.all_reduce(ones())
    else:
        dist.broadcast(ones(), 0)


def other_collective():
    start()
    call_other_collectives()


def other_size():
    start()
    dist.all_reduce(ones(3 + RANK))


def other_dtype():
    start()
    dist.all_reduce(ones(dtype=torch.float16 if RANK else torch.float32))


def other_reduction():
    start()
    dist.all_reduce(ones(), dist.ReduceOp.MAX if RANK else dist.ReduceOp.SUM)


def other_root():
    start()
    dist.broadcast(ones(), RANK)


def other_parts():
    start()
    dist.all_to_all_single(ones(4), ones(4), [2, 2], [1, 3] if RANK else [2, 2])


def other_message():
    start()
    if RANK == 0:
        dist.send(ones(3), 1)
    else:
        dist.recv(ones(4), 0)


def one_more_collective():
    """A step more on one rank: uneven data without join()."""
    start()
    for _ in range(2 + RANK):
        dist.all_reduce(ones())
    dist.barrier()


def cpu_tensor():
    start()
    dist.all_reduce(torch.ones(4))


def mended_cpu_tensor():
    """The refusal leaves the group as it was."""
    dist.init_process_group("nccl", init_method=os.environ["STORE"], rank=RANK, world_size=2)
    torch.cuda.set_device(RANK)
    try:
        dist.all_reduce(torch.ones(4))
    except (RuntimeError, ValueError) as error:
        print(error)
    tensor = ones()
    dist.all_reduce(tensor)
    assert tensor.tolist() == [2] * 4
    dist.barrier()
    call_other_collectives()


def cpu_in_list():
    start()
    dist.all_gather([torch.ones(4), ones()], ones())


def other_device_in_list():
    start()
    dist.all_gather([ones(device=0), ones(device=1)], ones())


def short_list():
    start()
    dist.all_gather([ones()], ones())


def same_gpu():
    """No torch.cuda.set_device."""
    dist.init_process_group("nccl")
    dist.all_reduce(torch.ones(4, device="cuda"))


def changed_device():
    start()
    dist.all_reduce(ones())
    dist.all_reduce(ones(device=1))


def not_the_bound_device():
    start(device_id=torch.device("cuda", RANK))
    dist.all_reduce(ones(device=1 - RANK))


def gaps():
    start()
    dist.all_reduce(torch.ones(4, 4, device=f"cuda:{RANK}")[:, 0])


def wrong_output_size():
    start()
    dist.all_gather_into_tensor(ones(7), ones(4))


def missing_rank():
    start()
    dist.all_reduce(ones())
    if RANK == 1:
        time.sleep(30)
    dist.all_reduce(ones())


def killed_rank():
    start()
    dist.all_reduce(ones())
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.barrier()


def ended_rank():
    start()
    dist.all_reduce(ones())
    if RANK == 0:
        dist.all_reduce(ones())


def raised_on_one_rank():
    start()
    dist.all_reduce(ones())
    if RANK == 1:
        raise KeyError("a mistake of rank 1")
    dist.all_reduce(ones())


def both_receive():
    start()
    tensor = ones()
    dist.recv(tensor, 1 - RANK)
    dist.send(tensor, 1 - RANK)


def never_started():
    if RANK == 1:
        return
    start()
    dist.all_reduce(ones())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    print("went through", flush=True)
