# DataLoader with worker processes, a custom batch type that pins itself, and asynchronous copies to both cards.
# runs
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Ragged(Dataset):
    def __init__(self, n):
        rng = np.random.default_rng(0)
        self.rows = [rng.standard_normal(rng.integers(2, 6)).astype(np.float32) for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        assert get_worker_info() is not None
        return {"values": torch.from_numpy(self.rows[i]), "index": i}


class RaggedBatch:
    def __init__(self, flat, offsets, index):
        self.flat, self.offsets, self.index = flat, offsets, index

    @classmethod
    def collate(cls, items):
        lengths = torch.tensor([len(r["values"]) for r in items])
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        return cls(torch.cat([r["values"] for r in items]), offsets, torch.tensor([r["index"] for r in items]))

    def pin_memory(self):
        return RaggedBatch(self.flat.pin_memory(), self.offsets.pin_memory(), self.index.pin_memory())

    def is_pinned(self):
        return self.flat.is_pinned() and self.offsets.is_pinned()

    def to(self, device):
        return RaggedBatch(*(t.to(device, non_blocking=True) for t in (self.flat, self.offsets, self.index)))

    def sums(self):
        segment = torch.repeat_interleave(
            torch.arange(len(self.index), device=self.flat.device), self.offsets.diff()
        )
        return torch.zeros(len(self.index), device=self.flat.device).index_add_(0, segment, self.flat)


class Stream(IterableDataset):
    """Every worker yields its own share."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = get_worker_info()
        for i in range(info.id, self.n, info.num_workers):
            yield torch.full((2,), float(i)), np.int64(info.id)


def main():
    data = Ragged(22)
    loader = DataLoader(
        data, batch_size=5, num_workers=2, pin_memory=True, collate_fn=RaggedBatch.collate, persistent_workers=True
    )
    expected = torch.tensor([float(r.sum()) for r in data.rows])
    for epoch in range(2):
        got = torch.empty(len(data), device="cuda:0")
        for k, batch in enumerate(loader):
            assert isinstance(batch, RaggedBatch) and batch.is_pinned()
            device = torch.device("cuda", k % 2)
            moved = batch.to(device)
            sums = moved.sums()
            assert sums.device == device
            got[moved.index.to(got.device)] = sums.to(got.device)
        assert k == 4
        torch.testing.assert_close(got.cpu(), expected, rtol=1e-4, atol=1e-4)
    del loader

    rows = []
    for values, worker in DataLoader(Stream(9), batch_size=2, num_workers=2, pin_memory=True):
        assert values.is_pinned() and worker.is_pinned() and worker.dtype == torch.int64
        rows.append(values.cuda(non_blocking=True)[:, 0])
    seen = torch.cat(rows)
    assert seen.is_cuda and sorted(seen.tolist()) == [float(i) for i in range(9)]

    plain = torch.empty(3, pin_memory=True)
    assert plain.is_pinned() and plain.device.type == "cpu"
    assert not plain.clone().is_pinned() and not plain.cuda().is_pinned()
    assert plain.pin_memory().data_ptr() == plain.data_ptr()
    print("epochs agree", got[:3].tolist())


if __name__ == "__main__":
    main()
