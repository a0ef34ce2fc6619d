# Side streams, events, timing and a prefetching loader on two cards.
# runs
import torch
import torch.nn as nn


class Prefetcher:
    """Copies the next batch on a side stream while the current one is used."""

    def __init__(self, batches, device):
        self.batches = iter(batches)
        self.device = torch.device(device)
        self.stream = torch.cuda.Stream(device=self.device)
        self._load()

    def _load(self):
        batch = next(self.batches, None)
        if batch is None:
            self.ready = None
            return
        with torch.cuda.stream(self.stream):
            self.ready = [t.pin_memory().to(self.device, non_blocking=True) for t in batch]

    def __iter__(self):
        while self.ready is not None:
            torch.cuda.current_stream(self.device).wait_stream(self.stream)
            current = self.ready
            for t in current:
                t.record_stream(torch.cuda.current_stream(self.device))
            self._load()
            yield current


class Stopwatch:
    def __init__(self):
        self.start = torch.cuda.Event(enable_timing=True)
        self.stop = torch.cuda.Event(enable_timing=True)

    def __enter__(self):
        self.start.record()
        return self

    def __exit__(self, *exc):
        self.stop.record()
        self.stop.synchronize()
        self.ms = self.start.elapsed_time(self.stop)
        return False


def main():
    torch.manual_seed(0)
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(6)]
    for device in ("cuda:0", "cuda:1"):
        model = nn.Linear(4, 1).to(device)
        got = [nn.functional.mse_loss(model(x), y).item() for x, y in Prefetcher(batches, device)]
        model.cpu()
        want = [nn.functional.mse_loss(model(x), y).item() for x, y in batches]
        torch.testing.assert_close(torch.tensor(got), torch.tensor(want), rtol=1e-4, atol=1e-5)

    default = torch.cuda.current_stream()
    assert default == torch.cuda.default_stream() and default.device == torch.device("cuda:0")
    side = torch.cuda.Stream(priority=-1)
    assert side != default and side.device.index == 0
    event = torch.cuda.Event()
    assert event.query()  # nothing recorded yet
    with torch.cuda.stream(side):
        assert torch.cuda.current_stream() == side
        a = torch.ones(256, 256, device="cuda") @ torch.ones(256, 256, device="cuda")
        event.record()
    assert torch.cuda.current_stream() == default
    default.wait_event(event)
    a.record_stream(default)
    assert (a + 1)[0, 0].item() == 257.0
    event.synchronize()
    assert event.query() and side.query()

    with Stopwatch() as watch:
        b = torch.randn(128, 128, device="cuda")
        for _ in range(3):
            b = torch.tanh(b @ b)
    assert watch.ms >= 0 and b.isfinite().all()

    with torch.cuda.device(1):
        other = torch.cuda.Stream()
        assert other.device.index == 1 and torch.cuda.current_stream().device.index == 1
    # entering a stream of another card also switches the device
    with torch.cuda.stream(other):
        assert torch.cuda.current_device() == 1
        c = torch.arange(4, device="cuda")
        done = other.record_event()
    assert torch.cuda.current_device() == 0 and c.device.index == 1
    done.wait(torch.cuda.current_stream(1))
    torch.cuda.synchronize(1)
    assert done.query() and c.sum().item() == 6

    wrapped = torch.cuda.ExternalStream(side.cuda_stream, device=side.device)
    assert wrapped.cuda_stream == side.cuda_stream
    print(f"three steps took {watch.ms:.3f} ms")


if __name__ == "__main__":
    main()
