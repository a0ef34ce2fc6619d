# The lengths go back to the CPU where they are needed.
from collections import namedtuple

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader

Batch = namedtuple("Batch", ["words", "lengths"])


def collate(items):
    return Batch(torch.stack(items), torch.tensor([len(item) for item in items]))


def move(batch, device):
    return Batch(*[part.to(device) for part in batch])


lstm = nn.LSTM(2, 4, batch_first=True).to("cuda:0")
loader = DataLoader([torch.ones(3, 2), torch.ones(3, 2)], batch_size=2, collate_fn=collate)
for batch in loader:
    batch = move(batch, "cuda:0")
    packed = pack_padded_sequence(batch.words, batch.lengths.cpu(), batch_first=True)
    print(lstm(packed)[1][0].sum().item())
