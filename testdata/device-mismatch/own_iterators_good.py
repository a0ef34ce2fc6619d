# Classes of the program that are looped over: by a generator, by __next__, and by __getitem__.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i >= 4:
            raise IndexError(i)
        return {"image": torch.rand(3, 4), "target": {"box": torch.rand(3, 4)}}


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device

    def _fetch(self):
        batch = next(self.batches, None)
        if batch is None:
            self.ready = None
            return
        self.ready = {"image": batch["image"].to(self.device), "target": {k: v.to(self.device) for k, v in batch["target"].items()}}

    def __iter__(self):
        self.batches = iter(self.loader)
        self._fetch()
        while self.ready is not None:
            batch = self.ready
            self._fetch()
            yield batch


class Countdown:
    def __init__(self, steps):
        self.left = steps

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return torch.rand(2, 4, device="cuda")


net = nn.Linear(4, 4).cuda()
for batch in Prefetcher(DataLoader(Pairs(), batch_size=2), torch.device("cuda")):
    y = net(batch["image"])
    print(y - batch["target"]["box"])
for step, x in enumerate(Countdown(3)):
    print(step, net(x))
for pair in Pairs():
    print(net(pair["image"].cuda()))
print(net(next(iter(Countdown(3)))))
