# rule: slow-data-loader
# Batches are made in the training process, or copied from memory that is not pinned.
import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return {"x": torch.full((4,), float(i)), "y": i % 2}


def train(loader, device):
    for batch in loader:
        print(batch["x"].to(device).device, batch["y"].to(device).device)


train(DataLoader(Numbers(), batch_size=4), "cuda")  # expect: slow-data-loader
train(DataLoader(Numbers(), batch_size=4, num_workers=2), "cuda:0")  # expect: slow-data-loader
train(DataLoader(Numbers(), batch_size=4, pin_memory=True), "cuda")  # expect: slow-data-loader
