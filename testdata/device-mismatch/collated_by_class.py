# A class collates: its object has the batch, and moves more than it should.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader


class Batch:
    def __init__(self, samples):
        self.lengths = torch.tensor([sample.size(0) for sample in samples])
        self.sequences = pad_sequence(samples, batch_first=True)

    def to(self, device):
        self.lengths = self.lengths.to(device)
        self.sequences = self.sequences.to(device)
        return self


def pack(batch):
    return pack_padded_sequence(  # expect: device-mismatch
        batch.sequences, batch.lengths, batch_first=True, enforce_sorted=False)


net = nn.LSTM(3, 5, batch_first=True).cuda()
loader = DataLoader([torch.rand(n, 3) for n in (4, 2, 3, 5)], batch_size=2, collate_fn=Batch)
for batch in loader:
    print(net(pack(batch.to("cuda")))[1][0].shape)
