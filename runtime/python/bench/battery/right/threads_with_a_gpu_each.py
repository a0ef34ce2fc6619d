# Two threads train the same model, one on each GPU, and agree with the CPU.
# runs
import copy
import queue
import threading

import torch
from torch import nn


def train(model, device, batches):
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        loss = nn.functional.smooth_l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def worker(index, model, batches, results):
    try:
        torch.cuda.set_device(index)
        assert torch.zeros(1, device="cuda").get_device() == index
        with torch.cuda.stream(torch.cuda.Stream()):
            loss = train(model, torch.device("cuda"), batches)
            torch.cuda.current_stream().synchronize()
        results.put((index, loss, torch.cuda.current_device(), torch.is_grad_enabled()))
    except BaseException as error:
        results.put((index, error, None, None))


torch.manual_seed(32)
base = nn.Sequential(nn.Linear(3, 8), nn.ELU(), nn.Linear(8, 1)).double()
batches = [(torch.randn(16, 3, dtype=torch.float64), torch.randn(16, 1, dtype=torch.float64)) for _ in range(6)]
models = [copy.deepcopy(base) for _ in range(3)]
results = queue.Queue()
threads = [threading.Thread(target=worker, args=(i, models[i], batches, results)) for i in range(2)]
with torch.no_grad():
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
expected = train(models[2], "cpu", batches)
for _ in range(2):
    index, loss, current, grad_enabled = results.get()
    assert not isinstance(loss, BaseException), loss
    assert current == index and grad_enabled
    assert abs(loss - expected) < 1e-8
    for p, q in zip(models[index].parameters(), models[2].parameters()):
        assert p.device == torch.device("cuda", index)
        assert torch.allclose(p.cpu(), q, atol=1e-8)
assert torch.cuda.current_device() == 0
