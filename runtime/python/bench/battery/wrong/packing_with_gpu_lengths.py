# Sequence lengths are moved to the GPU together with the batch and used for packing.
# raises: RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence


def collate(sequences, device):
    sequences = sorted(sequences, key=len, reverse=True)
    lengths = torch.tensor([len(s) for s in sequences])
    return pad_sequence(sequences, batch_first=True).to(device), lengths.to(device)


class NameClassifier(nn.Module):
    def __init__(self, letters=27, classes=5):
        super().__init__()
        self.embed = nn.Embedding(letters, 8, padding_idx=0)
        self.rnn = nn.GRU(8, 16, batch_first=True)
        self.out = nn.Linear(16, classes)

    def forward(self, names, lengths):
        packed = pack_padded_sequence(self.embed(names), lengths, batch_first=True)  # raises
        _, h = self.rnn(packed)
        return self.out(h[-1])


device = torch.device("cuda:0")
model = NameClassifier().to(device)
names = [torch.randint(1, 27, (n,)) for n in (3, 7, 5, 2)]
batch, lengths = collate(names, device)
print(model(batch, lengths).shape)
