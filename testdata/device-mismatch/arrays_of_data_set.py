# What the data set reads is in the memory of the host, whatever it reads; the batches stay there.
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, image, label):
        for step in self.steps:
            image, label = step(image, label)
        return image, label


class Flip:
    def __call__(self, image, label):
        return image[:, ::-1].copy(), label


class Normalize:
    def __call__(self, image, label):
        return (image - image.mean()) / (image.std() + 1e-6), label


class Volumes(Dataset):
    def __init__(self, folder, transform=None):
        self.files = sorted(os.listdir(folder))
        self.folder = folder
        self.transform = transform

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        entry = np.load(os.path.join(self.folder, self.files[index]))
        image, label = entry["image"].astype(np.float32), int(entry["label"])
        if self.transform is not None:
            image, label = self.transform(image, label)
        return image.reshape(-1), label


folder = tempfile.mkdtemp()
for i in range(8):
    np.savez(os.path.join(folder, f"{i}.npz"), image=np.random.rand(4, 4), label=i % 2)

loader = DataLoader(Volumes(folder, Compose([Flip(), Normalize()])), batch_size=4)
model = nn.Linear(16, 2).cuda()
for image, label in loader:
    output = model(image)  # expect: device-mismatch
    print(nn.functional.cross_entropy(output, label.cuda()).item())
