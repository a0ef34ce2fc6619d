# Of the entries of a batch, loops move those that they ask for.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Named(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return 8

    def __getitem__(self, index):
        item = {"id": "example " + str(index)}
        for name in self.names:
            item[name] = torch.rand(3)
        item["mask"] = torch.ones(3)
        return item


def move(batch, device):
    for key in batch:
        try:
            batch[key] = batch[key].to(device)
        except AttributeError:
            pass
    return batch


loader = DataLoader(Named("image depth".split()), batch_size=4, pin_memory=True)
model = nn.Linear(3, 3).cuda()
for batch in loader:
    for key in batch.keys():
        if key == "id":
            continue
        batch[key] = batch[key].cuda()
    model(batch["image"]) + batch["mask"]
for batch in loader:
    for key, value in batch.items():
        if torch.is_tensor(value):
            batch[key] = value.cuda(non_blocking=True)
    model(batch["image"]) + batch["mask"]
for batch in loader:
    for key in batch:
        if key == "image":
            batch[key] = batch[key].cuda()
            break
    model(batch["image"])
for batch in loader:
    batch = move(batch, "cuda")
    model(batch["image"]) + batch["mask"]
for batch in loader:
    batch = {key: value.cuda() for key, value in batch.items() if key != "id"}
    model(batch["image"]) + batch["mask"]
