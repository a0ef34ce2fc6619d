# a worker process takes CUDA tensors from a queue, changes one in place and sends a result back
# runs
import torch
import torch.multiprocessing as mp


def consumer(inbox, outbox, done):
    while True:
        item = inbox.get()
        if item is None:
            break
        name, t = item
        assert t.is_cuda
        t.mul_(2)  # the memory is shared with the parent
        torch.cuda.synchronize(t.device)
        outbox.put((name, t.device.index, float(t.sum())))
        del t, item
    result = torch.arange(5, device="cuda:1") ** 2
    torch.cuda.synchronize(1)
    outbox.put(("result", 1, result))
    done.wait(60)  # keep the tensor alive until the parent has copied it


if __name__ == "__main__":
    ctx = mp.get_context("spawn")
    inbox, outbox, done = ctx.Queue(), ctx.Queue(), ctx.Event()
    p = ctx.Process(target=consumer, args=(inbox, outbox, done))
    p.start()
    a = torch.ones(1000, device="cuda:0")
    b = torch.full((4, 4), 3.0, device="cuda:1")
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)
    answers = []
    for name, t in (("a", a), ("b", b)):
        inbox.put((name, t))
        answers.append(outbox.get(timeout=120))
    inbox.put(None)
    name, index, r = outbox.get(timeout=120)
    result = r.cpu()
    assert r.device == torch.device("cuda:1")
    del r
    done.set()
    p.join(60)
    assert p.exitcode == 0
    assert answers == [("a", 0, 2000.0), ("b", 1, 96.0)], answers
    assert a.unique().tolist() == [2.0] and b.unique().tolist() == [6.0]
    assert result.tolist() == [0, 1, 4, 9, 16]
