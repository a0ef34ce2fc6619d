# The current device, stream and autocast state are per thread; a pool of workers trains one copy per card.
# runs
import copy
import io
import pickle
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn


class DeviceWorker(threading.Thread):
    """Consumes jobs with its device set once at the start."""

    def __init__(self, index, jobs, results):
        super().__init__(daemon=True)
        self.index, self.jobs, self.results = index, jobs, results

    def run(self):
        torch.cuda.set_device(self.index)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            while True:
                job = self.jobs.get()
                if job is None:
                    return
                name, fn = job
                out = fn()
                stream.synchronize()
                self.results.put((name, out, torch.cuda.current_device(), torch.is_autocast_enabled("cuda")))


def train_copy(model, x, y, device):
    with torch.cuda.device(device):
        model = copy.deepcopy(model).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item(), model


def main():
    torch.manual_seed(0)
    assert torch.cuda.current_device() == 0
    seen = {}

    def look():
        seen["start"] = torch.cuda.current_device()
        seen["grad"] = torch.is_grad_enabled()
        torch.cuda.set_device(1)
        seen["changed"] = torch.ones(1, device="cuda").device.index

    with torch.no_grad():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == {"start": 0, "grad": True, "changed": 1}
    assert torch.cuda.current_device() == 0 and torch.ones(1).cuda().device.index == 0

    results = queue.Queue()
    workers = []
    for i in range(torch.cuda.device_count()):
        workers.append(DeviceWorker(i, queue.Queue(), results))
        workers[-1].start()
    with torch.autocast("cuda", dtype=torch.float16):
        for n in range(6):
            worker = workers[n % len(workers)]
            worker.jobs.put((n, lambda n=n: torch.full((4, 4), float(n), device="cuda") @ torch.ones(4, 4, device="cuda")))
        for worker in workers:
            worker.jobs.put(None)
        for worker in workers:
            worker.join()
    assert results.qsize() == 6
    for _ in range(6):
        name, out, device, autocast = results.get()
        assert out.device.index == device == name % 2 and not autocast
        assert out.dtype == torch.float32 and out[0, 0].item() == 4.0 * name

    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    x, y = torch.randn(16, 3), torch.randn(16, 1)
    with ThreadPoolExecutor(2) as pool:
        (l0, m0), (l1, m1) = pool.map(lambda d: train_copy(model, x, y, d), [0, 1])
    assert abs(l0 - l1) < 1e-4 and next(m1.parameters()).device.index == 1
    for a, b in zip(m0.parameters(), m1.parameters()):
        torch.testing.assert_close(a.cpu(), b.cpu(), rtol=1e-3, atol=1e-4)

    # copies and pickles keep the device
    assert copy.deepcopy(m1)[0].weight.device.index == 1
    assert pickle.loads(pickle.dumps(m1[0].weight)).device == torch.device("cuda:1")
    assert pickle.loads(pickle.dumps(torch.device("cuda", 1))) == torch.device("cuda:1")
    base = torch.arange(6.0, device="cuda:1")
    buffer = io.BytesIO()
    torch.save({"all": base, "tail": base[3:]}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer)
    loaded["all"][4] = -1
    assert loaded["tail"][1].item() == -1 and loaded["tail"].device.index == 1
    print("losses", l0, l1)


if __name__ == "__main__":
    main()
