# Memory counters of both cards, recovery from an out-of-memory error and a batch size finder built on it.
# runs
import gc

import torch
import torch.nn as nn

MB = 1024**2


class Meter:
    def __init__(self, device):
        self.device = torch.device(device)

    def __enter__(self):
        torch.cuda.synchronize(self.device)
        torch.cuda.reset_peak_memory_stats(self.device)
        self.before = torch.cuda.memory_allocated(self.device)
        return self

    def __exit__(self, *exc):
        self.after = torch.cuda.memory_allocated(self.device)
        self.peak = torch.cuda.max_memory_allocated(self.device)
        return False

    @property
    def kept(self):
        return self.after - self.before


def find_batch_size(step, start, limit):
    """Shrinks the batch until the step fits."""
    size, tries = start, 0
    while size >= limit:
        try:
            step(size)
            return size, tries
        except torch.OutOfMemoryError as error:
            assert "CUDA out of memory" in str(error) and isinstance(error, RuntimeError)
            tries += 1
            size //= 2**16
        gc.collect()
        torch.cuda.empty_cache()
    raise RuntimeError("nothing fits")


def main():
    for device in ("cuda:0", "cuda:1"):
        with Meter(device) as meter:
            big = torch.empty(4 * MB, dtype=torch.uint8, device=device)
            temporary = torch.empty(8 * MB, dtype=torch.uint8, device=device)
            del temporary
            kept = big[: MB]  # a view costs nothing
        assert meter.kept == 4 * MB, meter.kept
        assert meter.peak - meter.before >= 12 * MB
        del big
        assert torch.cuda.memory_allocated(device) == meter.after  # the view holds the storage
        assert kept.untyped_storage().nbytes() == 4 * MB
        del kept
        assert torch.cuda.memory_allocated(device) == meter.before
        assert torch.cuda.memory_reserved(device) >= 12 * MB
        torch.cuda.empty_cache()
        assert torch.cuda.memory_reserved(device) <= torch.cuda.max_memory_reserved(device)

        free, total = torch.cuda.mem_get_info(device)
        assert 0 < free <= total
        assert torch.cuda.get_device_properties(device).total_memory > 64 * MB
        stats = torch.cuda.memory_stats(device)
        assert stats["allocated_bytes.all.current"] == torch.cuda.memory_allocated(device)
        assert stats["allocation.all.allocated"] >= 2 and stats["num_ooms"] == 0
        assert "allocated" in torch.cuda.memory_summary(device, abbreviated=True).lower()

    # counters of one card do not see the other
    untouched = torch.cuda.memory_allocated(0)
    hold = torch.zeros(MB, device="cuda:1")
    assert torch.cuda.memory_allocated(0) == untouched
    assert torch.cuda.memory_allocated(1) >= 4 * MB
    del hold

    torch.manual_seed(0)
    model = nn.Linear(8, 8).cuda()

    def step(n):
        model.zero_grad(set_to_none=True)
        out = model(torch.ones(1, 8, device="cuda")).expand(n, 8)
        loss = (out.clone() ** 2).sum() / n
        loss.backward()

    size, tries = find_batch_size(step, start=2**50, limit=1)
    assert tries >= 1 and size < 2**50, (size, tries)
    assert model.weight.grad is not None and model.weight.grad.isfinite().all()
    assert torch.cuda.memory_stats(0)["num_ooms"] == tries

    graph = torch.randn(64, 64, device="cuda", requires_grad=True)
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        loss = (graph.sin() @ graph).square().sum()
    loss.backward()
    assert graph.grad.is_cuda
    print("fits:", size, "after", tries, "failures")


main()
