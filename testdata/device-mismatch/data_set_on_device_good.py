# The first data set has what it reads on the GPU, and the second hands on what it was given.
import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Stored(Dataset):
    def __init__(self, folder, device):
        self.files = sorted(os.listdir(folder))
        self.folder = folder
        self.device = device

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        entry = torch.load(os.path.join(self.folder, self.files[index]))
        return entry["image"].to(self.device), entry["label"].to(self.device)


class Pairs(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


folder = tempfile.mkdtemp()
for i in range(8):
    torch.save({"image": torch.rand(16), "label": torch.tensor(i % 2)},
               os.path.join(folder, f"{i}.pt"))


def columns(entries):
    images, labels = [], []
    for image, label in entries:
        images.append(image.cuda())
        labels.append(label.cuda())
    return [torch.stack(part) for part in (images, labels)]


model = nn.Linear(16, 2).cuda()
stored = Stored(folder, torch.device("cuda"))
for data in (stored, Pairs(*columns(stored[i] for i in range(len(stored))))):
    for image, label in DataLoader(data, batch_size=4):
        print(nn.functional.cross_entropy(model(image), label).item())
