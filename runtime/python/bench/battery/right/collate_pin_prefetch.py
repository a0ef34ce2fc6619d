# custom batch class with pin_memory, a CUDA stream prefetcher with record_stream, worker processes
# runs
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 50

    def __getitem__(self, i):
        return {"x": torch.full((i % 4 + 1,), float(i)), "id": i}


class Batch:
    def __init__(self, items):
        self.x = torch.nn.utils.rnn.pad_sequence([it["x"] for it in items], batch_first=True)
        self.id = torch.tensor([it["id"] for it in items])

    def pin_memory(self):
        self.x, self.id = self.x.pin_memory(), self.id.pin_memory()
        return self

    def to(self, dev, non_blocking=False):
        self.x, self.id = self.x.to(dev, non_blocking=non_blocking), self.id.to(dev, non_blocking=non_blocking)
        return self


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream(device=device)
        self.pinned = 0

    def __iter__(self):
        it = iter(self.loader)
        nxt = self._load(it)
        while nxt is not None:
            cur_stream = torch.cuda.current_stream(self.device)
            cur_stream.wait_stream(self.stream)
            batch = nxt
            for t in (batch.x, batch.id):
                t.record_stream(cur_stream)
            nxt = self._load(it)
            yield batch

    def _load(self, it):
        batch = next(it, None)
        if batch is None:
            return None
        self.pinned += int(batch.x.is_pinned() and batch.id.is_pinned())
        with torch.cuda.stream(self.stream):
            return batch.to(self.device, non_blocking=True)


if __name__ == "__main__":
    dev = torch.device("cuda", 1)
    torch.cuda.set_device(dev)
    loader = DataLoader(Squares(), batch_size=8, collate_fn=Batch, pin_memory=True, num_workers=2)
    pre = Prefetcher(loader, dev)
    total, ids = torch.zeros((), device=dev), []
    for batch in pre:
        assert batch.x.device == dev and batch.id.device == dev
        total += batch.x.sum()
        ids += batch.id.tolist()
    assert ids == list(range(50)) and pre.pinned == 7
    assert abs(total.item() - sum(i * (i % 4 + 1) for i in range(50))) < 1e-3
    assert torch.cuda.current_stream(dev) == torch.cuda.default_stream(dev)
