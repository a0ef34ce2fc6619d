"""An object collates the batches, and moves all of their parts: the lengths have to stay on the CPU."""
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.rand(5 + index % 3, 4), float(index % 2)


class Collator:
    def __init__(self, device):
        self.device = device

    def __call__(self, batch):
        texts, labels = zip(*batch)
        lengths = torch.tensor([len(each) for each in texts])
        padded = pad_sequence(texts, batch_first=True)
        return tuple(each.to(self.device) for each in (padded, lengths, torch.tensor(labels)))


loader = DataLoader(Reviews(), batch_size=8, collate_fn=Collator(torch.device("cuda")))
for texts, lengths, labels in loader:
    packed = pack_padded_sequence(texts, lengths, batch_first=True, enforce_sorted=False)  # expect: device-mismatch
