# The entries of a batch are moved one by one, under keys that the data set computes.
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
            print(nn.functional.mse_loss(outputs, batch["target"]))  # expect: device-mismatch


trainer = Trainer(int("12"))
trainer.train()
trainer.test()
