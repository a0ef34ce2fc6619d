# Batches of a data set that is not known, which are moved in place.
import torch
import torch.nn as nn
from torch.utils.data import ConcatDataset, DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self, keys):
        self.keys = keys

    def __len__(self):
        return 4

    def __getitem__(self, index):
        pair = torch.rand(4), torch.rand(2)
        return dict(zip("xy", pair)) if self.keys else list(pair)


def move(batch):
    for key, value in batch.items():
        batch[key] = value.cuda()


def loader_of(keys):
    return DataLoader(ConcatDataset([Pairs(keys), Pairs(keys)]), batch_size=2, pin_memory=True)


model = nn.Linear(4, 2).cuda()
for batch in loader_of(True):
    move(batch)
    print((model(batch["x"]) - batch["y"]).sum())
for batch in loader_of(False):
    for i in range(len(batch)):
        batch[i] = batch[i].cuda()
    x, y = batch
    print((model(x) - y).sum())
