# Sequences of different lengths, padded by a function of the program, and packed.
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, batch, lengths):
        output, _ = self.gru(pack_padded_sequence(batch, lengths))
        padded, _ = pad_packed_sequence(output)
        return self.head(padded)


def collate(sequences):
    lengths = [len(each) for each in sequences]
    return pad_sequence([torch.rand(length, 4) for length in lengths]), lengths


tagger = Tagger().cuda()
loader = DataLoader(["a sentence", "another"], batch_size=1, collate_fn=collate)
for batch, lengths in loader:
    tagger(batch, lengths)  # expect: device-mismatch
