# What a data set reads is not known, but a loader that pins its memory has it on the CPU.
import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spectra(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.load(self.files[i]).squeeze(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, spectrum):
        return self.layer((spectrum + 5.0) / 5.0)  # expect: device-mismatch


folder = tempfile.mkdtemp()
files = [os.path.join(folder, "%d.pt" % i) for i in range(4)]
for file in files:
    torch.save(torch.rand(1, 4), file)
net = Net().cuda()
for spectrum in DataLoader(Spectra(files), batch_size=2, pin_memory=True):
    print(net(spectrum))
