# The options of the loader are put together elsewhere.
import torch
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.full((2,), float(i)).to("cuda:0")


def loader_options():
    options = {"batch_size": 2}
    if torch.cuda.is_available():
        options.update(pin_memory=True, num_workers=0)
    return options


for points in DataLoader(Points(), **loader_options()):  # expect: device-mismatch
    print(points.sum().item())
