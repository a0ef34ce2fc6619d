# A DataLoader with two workers and pinned batches feeds the GPU through non-blocking copies.
# runs
from collections import namedtuple

import torch
from torch.utils.data import DataLoader, Dataset

Sample = namedtuple("Sample", "x y")


class Squares(Dataset):
    def __len__(self):
        return 22

    def __getitem__(self, i):
        return Sample(torch.full((3,), float(i)), {"square": i * i, "name": f"n{i}"})


def main():
    device = torch.device("cuda:1")
    loader = DataLoader(Squares(), batch_size=8, num_workers=2, pin_memory=True, persistent_workers=True)
    for epoch in range(2):
        total = torch.zeros((), device=device)
        sizes, names = [], []
        for batch in loader:
            assert isinstance(batch, Sample)
            assert batch.x.is_pinned() and batch.y["square"].is_pinned()
            assert batch.x.device.type == "cpu"
            x = batch.x.to(device, non_blocking=True)
            square = batch.y["square"].to(device, non_blocking=True)
            total += (x[:, 0] ** 2 - square).abs().sum() + square.sum()
            sizes.append(len(x))
            names += batch.y["name"]
        assert sizes == [8, 8, 6] and names == [f"n{i}" for i in range(22)]
        assert total.item() == sum(i * i for i in range(22))
        assert total.device == device

    host = torch.empty(5, pin_memory=True)
    assert host.is_pinned() and not torch.empty(5).is_pinned()
    source = torch.arange(5.0, device=device)
    host.copy_(source, non_blocking=True)
    torch.cuda.synchronize(device)
    assert host.tolist() == [0, 1, 2, 3, 4]
    pinned = torch.ones(2, 2).pin_memory()
    assert pinned.is_pinned() and pinned.pin_memory() is pinned
    assert not source.is_pinned()


if __name__ == "__main__":
    main()
