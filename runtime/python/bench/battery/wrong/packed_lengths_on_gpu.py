# pack_padded_sequence gets its lengths from the batch that was moved to the GPU as a whole.
# raises: RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Batch(NamedTuple):
    tokens: torch.Tensor
    lengths: torch.Tensor
    tags: torch.Tensor

    def to(self, device):
        return Batch(*(t.to(device, non_blocking=True) for t in self))


def collate(samples):
    tokens, tags = zip(*samples)
    return Batch(
        pad_sequence(tokens, batch_first=True),
        torch.tensor([len(t) for t in tokens]),
        pad_sequence(tags, batch_first=True, padding_value=-100),
    )


class Tagger(nn.Module):
    def __init__(self, vocab=30, width=10, hidden=12, tags=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        self.rnn = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def encode(self, batch):
        x = self.embed(batch.tokens)
        packed = pack_padded_sequence(x, batch.lengths, batch_first=True, enforce_sorted=False)  # raises
        states, _ = self.rnn(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        return states

    def forward(self, batch):
        return self.out(self.encode(batch))


def token_loss(logits, tags):
    return nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-100)


def dataset(n):
    g = torch.Generator().manual_seed(2)
    for _ in range(n):
        length = int(torch.randint(3, 9, (1,), generator=g))
        tokens = torch.randint(1, 30, (length,), generator=g)
        yield tokens, tokens % 4


def main():
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model = Tagger().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    samples = list(dataset(16))
    for start in range(0, len(samples), 8):
        batch = collate(samples[start : start + 8]).to(device)
        loss = token_loss(model(batch), batch.tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


main()
