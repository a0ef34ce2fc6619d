# A model split over two GPUs adds a skip connection that is still on the first GPU.
# raises: RuntimeError: Expected all tensors to be on the same device
from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    features: int = 12
    hidden: int = 24
    classes: int = 3
    batch_size: int = 16
    epochs: int = 2
    lr: float = 1e-2
    first: str = "cuda:0"
    second: str = "cuda:1"


class SplitNet(nn.Module):
    """Encoder on the first GPU, residual tail and classifier on the second."""

    def __init__(self, cfg: Config):
        super().__init__()
        self.first, self.second = torch.device(cfg.first), torch.device(cfg.second)
        self.encoder = nn.Sequential(nn.Linear(cfg.features, cfg.hidden), nn.ReLU()).to(self.first)
        self.tail = nn.Sequential(nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU()).to(self.second)
        self.classifier = nn.Linear(cfg.hidden, cfg.classes).to(self.second)

    def forward(self, x):
        encoded = self.encoder(x.to(self.first))
        moved = encoded.to(self.second)
        mixed = self.tail(moved) + encoded  # raises
        return self.classifier(mixed)


class Callback:
    def on_epoch_end(self, trainer: "Trainer", epoch: int, logs: dict) -> None:
        pass


class PrintLogs(Callback):
    def on_epoch_end(self, trainer, epoch, logs):
        print(f"epoch {epoch}: " + ", ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class SaveCheckpoint(Callback):
    def __init__(self, folder: Path):
        self.folder = folder

    def on_epoch_end(self, trainer, epoch, logs):
        torch.save(
            {"model": trainer.model.state_dict(), "optimizer": trainer.optimizer.state_dict(), "epoch": epoch},
            self.folder / "last.pt",
        )


class Trainer:
    def __init__(self, cfg: Config, callbacks: list[Callback]):
        self.cfg = cfg
        self.callbacks = callbacks
        self.model = SplitNet(cfg)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def train_epoch(self, loader) -> dict:
        self.model.train()
        total, count = 0.0, 0
        for x, y in loader:
            y = y.to(self.cfg.second, non_blocking=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = self.model(x)
            loss = self.loss_fn(logits.float(), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            total += loss.item() * len(x)
            count += len(x)
        return {"loss": total / count}

    @torch.no_grad()
    def evaluate(self, loader) -> dict:
        self.model.eval()
        hits, count = 0, 0
        for x, y in loader:
            hits += (self.model(x).argmax(1).cpu() == y).sum().item()
            count += len(x)
        return {"accuracy": hits / count}

    def fit(self, train_loader, valid_loader) -> None:
        for epoch in range(self.cfg.epochs):
            logs = self.train_epoch(train_loader)
            logs.update(self.evaluate(valid_loader))
            for callback in self.callbacks:
                callback.on_epoch_end(self, epoch, logs)


def make_loaders(cfg: Config):
    gen = torch.Generator().manual_seed(0)
    x = torch.randn(96, cfg.features, generator=gen)
    y = x[:, : cfg.classes].argmax(dim=1)
    train, valid = TensorDataset(x[:64], y[:64]), TensorDataset(x[64:], y[64:])
    return DataLoader(train, cfg.batch_size, shuffle=True), DataLoader(valid, cfg.batch_size)


def main() -> None:
    cfg = Config()
    print(asdict(cfg))
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(cfg, [PrintLogs(), SaveCheckpoint(Path(folder))])
        trainer.fit(*make_loaders(cfg))


if __name__ == "__main__":
    main()
