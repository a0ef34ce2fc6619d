# A mixture-of-experts layer with one expert on each GPU: uneven all_to_all in forward and backward against a dense CPU layer.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn

DIM, TOKENS = 4, 8


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Exchange(torch.autograd.Function):
    """all_to_all_single whose backward sends the gradients the other way."""

    @staticmethod
    def forward(ctx, x, recv_splits, send_splits):
        ctx.splits = (recv_splits, send_splits)
        out = x.new_empty(sum(recv_splits), x.size(1))
        dist.all_to_all_single(out, x.contiguous(), recv_splits, send_splits)
        return out

    @staticmethod
    def backward(ctx, grad):
        recv_splits, send_splits = ctx.splits
        out = grad.new_empty(sum(send_splits), grad.size(1))
        dist.all_to_all_single(out, grad.contiguous(), send_splits, recv_splits)
        return out, None, None


def experts():
    torch.manual_seed(66)
    return [nn.Sequential(nn.Linear(DIM, 8), nn.Tanh(), nn.Linear(8, DIM)) for _ in range(2)], nn.Linear(DIM, 2)


def tokens_of(rank):
    ids = torch.arange(TOKENS)
    chosen = (ids % 3 == 0).long() if rank == 0 else (ids % 4 == 0).long()
    return torch.randn(TOKENS, DIM, generator=torch.Generator().manual_seed(rank)), chosen


def moe_forward(x, chosen, expert, gate):
    world_size = dist.get_world_size()
    weight = gate(x).softmax(dim=1).gather(1, chosen[:, None])
    order = torch.argsort(chosen, stable=True)
    counts = torch.bincount(chosen, minlength=world_size)
    arriving = torch.empty_like(counts)
    dist.all_to_all_single(arriving, counts)
    send_splits, recv_splits = counts.tolist(), arriving.tolist()
    inbox = Exchange.apply(x[order], recv_splits, send_splits)
    back = Exchange.apply(expert(inbox), send_splits, recv_splits)
    restored = torch.zeros_like(x).index_copy(0, order, back)
    return weight * restored, inbox.size(0)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    all_experts, gate = experts()
    expert, gate = all_experts[rank].to(device), gate.to(device)
    x, chosen = (t.to(device) for t in tokens_of(rank))
    x.requires_grad_()
    out, handled = moe_forward(x, chosen, expert, gate)
    out.pow(2).sum().backward()
    for param in gate.parameters():
        dist.all_reduce(param.grad)

    dense, dense_gate = experts()
    loss, expected_handled = 0.0, 0
    for source in range(world_size):
        xs, picks = tokens_of(source)
        xs.requires_grad_()
        stacked = torch.stack([e(xs) for e in dense], dim=1)
        routed = stacked[torch.arange(TOKENS), picks]
        expected = dense_gate(xs).softmax(dim=1).gather(1, picks[:, None]) * routed
        loss = loss + expected.pow(2).sum()
        expected_handled += int((picks == rank).sum())
        if source == rank:
            own = xs
            torch.testing.assert_close(out.detach().cpu(), expected.detach(), rtol=1e-4, atol=1e-5)
    loss.backward()
    torch.testing.assert_close(x.grad.cpu(), own.grad, rtol=1e-3, atol=1e-5)
    assert handled == expected_handled == (11 if rank == 0 else 5)
    for ours, theirs in zip(expert.parameters(), dense[rank].parameters()):
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-3, atol=1e-5)
    for ours, theirs in zip(gate.parameters(), dense_gate.parameters()):
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-3, atol=1e-5)
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
