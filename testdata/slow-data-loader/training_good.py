# rule: slow-data-loader
# Workers make the batches in pinned memory; how many is not known; or nothing goes to a GPU.
import argparse

import torch
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=2)
parser.add_argument("--pin", action="store_true")
args = parser.parse_args()


class Numbers(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return {"x": torch.full((4,), float(i)), "y": i % 2}


def train(loader, device):
    for batch in loader:
        print(batch["x"].to(device).device, batch["y"].to(device).device)


options = {"num_workers": args.workers, "pin_memory": args.pin}
train(DataLoader(Numbers(), batch_size=4, num_workers=2, pin_memory=True), "cuda")
train(DataLoader(Numbers(), batch_size=4, num_workers=args.workers, pin_memory=args.pin), "cuda")
train(DataLoader(Numbers(), batch_size=4, **options), "cuda")
train(DataLoader(Numbers(), batch_size=4), "cpu")
