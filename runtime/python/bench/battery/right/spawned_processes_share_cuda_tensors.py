# Spawned processes: one rank per card, CUDA tensors through a queue, and results in shared CPU memory.
# runs
import torch
import torch.multiprocessing as mp
import torch.nn as nn


def fit(rank, world, results, seeds):
    """Every rank fits the same problem on its own card."""
    torch.cuda.set_device(rank)
    assert torch.cuda.current_device() == rank
    torch.manual_seed(seeds[rank])
    model = nn.Linear(3, 1).cuda()
    assert model.weight.device.index == rank
    g = torch.Generator().manual_seed(0)
    x = torch.randn(64, 3, generator=g)
    y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(60):
        loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    results[rank] = model.weight.detach().cpu().squeeze(0)


def consumer(inbox, outbox, done):
    """Works in place on the tensors of the parent."""
    while True:
        item = inbox.get()
        if item is None:
            break
        name, tensor = item
        assert tensor.is_cuda
        tensor.mul_(2).add_(1)
        torch.cuda.synchronize(tensor.device)
        outbox.put((name, str(tensor.device), tensor.sum().item()))
        del tensor, item
    done.wait()


def main():
    world = torch.cuda.device_count()
    results = torch.zeros(world, 3)
    results.share_memory_()
    assert results.is_shared()
    mp.spawn(fit, args=(world, results, [1, 2]), nprocs=world, join=True)
    for rank in range(world):
        torch.testing.assert_close(results[rank], torch.tensor([1.0, -2.0, 0.5]), rtol=0, atol=2e-2)

    ctx = mp.get_context("spawn")
    inbox, outbox, done = ctx.SimpleQueue(), ctx.SimpleQueue(), ctx.Event()
    worker = ctx.Process(target=consumer, args=(inbox, outbox, done))
    worker.start()
    tensors = {f"t{i}": torch.arange(4.0, device=f"cuda:{i % world}") for i in range(3)}
    for i in range(world):
        torch.cuda.synchronize(i)
    for item in tensors.items():
        inbox.put(item)
    replies = {}
    for _ in tensors:
        name, device, total = outbox.get()
        replies[name] = (device, total)
    inbox.put(None)
    for name, tensor in tensors.items():
        device, total = replies[name]
        assert device == str(tensor.device)
        assert total == 16.0
        # the child changed the memory of the parent
        assert tensor.tolist() == [1.0, 3.0, 5.0, 7.0], (name, tensor)
    done.set()
    worker.join(60)
    assert worker.exitcode == 0
    print("weights", results.tolist())


if __name__ == "__main__":
    main()
