# pin_memory=True on a loader whose dataset already lives on the GPU.
# raises: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class DataConfig:
    rows: int = 96
    features: int = 7
    batch_size: int = 24
    device: str = "cuda:0"
    loader: dict = field(default_factory=lambda: {"pin_memory": True, "drop_last": True})


class DataModule:
    def __init__(self, cfg):
        self.cfg = cfg

    def setup(self):
        g = torch.Generator().manual_seed(3)
        x = torch.randn(self.cfg.rows, self.cfg.features, generator=g)
        w = torch.randn(self.cfg.features, 1, generator=g)
        y = (x @ w > 0).float()
        # the set is small, keep it on the device
        x, y = x.to(self.cfg.device), y.to(self.cfg.device)
        cut = int(0.75 * len(x))
        self.train = TensorDataset(x[:cut], y[:cut])
        self.val = TensorDataset(x[cut:], y[cut:])

    def loader(self, split):
        data = getattr(self, split)
        return DataLoader(
            data,
            batch_size=self.cfg.batch_size,
            shuffle=split == "train",
            **self.cfg.loader,
        )


class LogisticRegression(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 1)

    def forward(self, x):
        return self.linear(x)


def fit(model, module, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        losses = []
        for x, y in module.loader("train"):  # raises
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        print(epoch, torch.stack(losses).mean().item())


if __name__ == "__main__":
    cfg = DataConfig()
    module = DataModule(cfg)
    module.setup()
    fit(LogisticRegression(cfg.features).to(cfg.device), module)
