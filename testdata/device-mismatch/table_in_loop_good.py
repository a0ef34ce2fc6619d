# The entries of a batch are moved one by one, all of them or some.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Frames(Dataset):
    def __init__(self, scales):
        self.scales = scales

    def __len__(self):
        return 8

    def __getitem__(self, index):
        item = {}
        for scale in range(self.scales):
            item[("frame", scale)] = torch.rand(4)
        item["target"] = torch.rand(2)
        return item


class Trainer:
    def __init__(self, scales):
        self.device = torch.device("cuda")
        self.model = nn.Linear(4, 2).to(self.device)
        self.loader = DataLoader(Frames(scales), batch_size=4, num_workers=0, pin_memory=True)

    def to_device(self, batch):
        for key, value in batch.items():
            batch[key] = value.to(self.device)

    def train(self):
        for batch in self.loader:
            self.to_device(batch)
            outputs = self.model(batch[("frame", 0)])
            loss = nn.functional.mse_loss(outputs, batch["target"])
            loss.backward()

    def test(self):
        for batch in self.loader:
            outputs = self.model(batch[("frame", 0)].to(self.device))
            print(nn.functional.mse_loss(outputs, batch["target"].to(self.device)))


def chosen(batch, wanted):
    for key in batch:
        if key in wanted:
            batch[key] = batch[key].cuda()
    return batch


loader = DataLoader(Frames(int("12")), batch_size=4, pin_memory=True)
for batch in loader:
    batch = chosen(batch, ["target"])
    print(batch[("frame", 0)] + torch.rand(4), batch["target"].sum())
for batch in loader:
    for key, value in batch.items():
        if value.dim() == 2 and key == "target":
            batch[key] = value.cuda()
    print(batch[("frame", 0)] + torch.rand(4))
for batch in loader:
    for key in batch:
        batch[key] = batch[key].cuda()
        break
    print(batch["target"] + torch.rand(2))
for batch in loader:
    key = None
    for key in batch:
        pass
    batch[key] = batch[key].cuda()
    print(batch[("frame", 0)] + torch.rand(4))
for batch in loader:
    for key, value in batch.items():
        if value.shape[1] == 2:
            batch[key] = value.cuda()
    print(batch[("frame", 0)] + torch.rand(4))
for batch in loader:
    for key, value in batch.items():
        try:
            batch["target"].reshape(4, int(value.sum()) * 0 + 2)
        except RuntimeError:
            batch[key] = value.cuda()
    print(batch[("frame", 0)] + torch.rand(4))
for batch in loader:
    for key, value in batch.items():
        if value.dim() == 7:
            continue
        if value.sum() < 0:
            batch[key] = value.cuda()
    print(batch[("frame", 0)] + torch.rand(4))
for batch in loader:
    other = {}
    for key, value in batch.items():
        other[key] = value.cuda()
    print(batch[("frame", 0)] + torch.rand(4), other["target"] + torch.rand(2).cuda())
trainer = Trainer(int("12"))
trainer.train()
trainer.test()
