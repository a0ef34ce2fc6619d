# A network split over two GPUs is trained with callbacks, saved, resumed, and follows a CPU run of the same network.
# runs
from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    features: int = 10
    hidden: int = 20
    classes: int = 3
    batch_size: int = 16
    epochs: int = 4
    lr: float = 0.1
    first: str = "cuda:0"
    second: str = "cuda:1"
    seed: int = 5


class SplitNet(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        torch.manual_seed(cfg.seed)
        self.first, self.second = torch.device(cfg.first), torch.device(cfg.second)
        self.encoder = nn.Sequential(nn.Linear(cfg.features, cfg.hidden), nn.Tanh()).to(self.first)
        self.tail = nn.Sequential(nn.Linear(cfg.hidden, cfg.hidden), nn.Tanh()).to(self.second)
        self.classifier = nn.Linear(cfg.hidden, cfg.classes).to(self.second)

    def forward(self, x):
        hidden = self.encoder(x.to(self.first)).to(self.second)
        return self.classifier(hidden + self.tail(hidden))


class Callback:
    def on_epoch_end(self, trainer: "Trainer", logs: dict) -> None:
        pass


class History(Callback):
    def __init__(self):
        self.logs = []

    def on_epoch_end(self, trainer, logs):
        self.logs.append(dict(logs, epoch=trainer.epoch))


class Checkpoint(Callback):
    def __init__(self, folder: Path):
        self.folder = folder

    def on_epoch_end(self, trainer, logs):
        torch.save(trainer.state_dict(), self.folder / f"epoch{trainer.epoch}.pt")


class Trainer:
    def __init__(self, cfg: Config, callbacks=()):
        self.cfg, self.callbacks = cfg, list(callbacks)
        self.model = SplitNet(cfg)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.epoch = 0

    def state_dict(self) -> dict:
        return {
            "config": asdict(self.cfg),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "epoch": self.epoch,
        }

    def load_state_dict(self, state: dict) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.epoch = state["epoch"]

    def train_epoch(self, loader) -> float:
        self.model.train()
        total = 0.0
        for x, y in loader:
            logits = self.model(x)
            loss = nn.functional.cross_entropy(logits, y.to(logits.device))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.scheduler.step()
        return total / len(loader)

    @torch.inference_mode()
    def evaluate(self, loader) -> float:
        self.model.eval()
        hits = sum((self.model(x).argmax(1).cpu() == y).sum().item() for x, y in loader)
        return hits / len(loader.dataset)

    def fit(self, train_loader, valid_loader) -> None:
        while self.epoch < self.cfg.epochs:
            loss = self.train_epoch(train_loader)
            self.epoch += 1
            logs = {"loss": loss, "accuracy": self.evaluate(valid_loader)}
            for callback in self.callbacks:
                callback.on_epoch_end(self, logs)


def main() -> None:
    gen = torch.Generator().manual_seed(0)
    x = torch.randn(112, 10, generator=gen)
    y = x[:, :3].argmax(dim=1)
    train = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=16)
    valid = DataLoader(TensorDataset(x[80:], y[80:]), batch_size=16)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        history = History()
        trainer = Trainer(Config(), [history, Checkpoint(folder)])
        trainer.fit(train, valid)
        assert [log["epoch"] for log in history.logs] == [1, 2, 3, 4]
        assert history.logs[-1]["loss"] < history.logs[0]["loss"]

        resumed = Trainer(Config())
        state = torch.load(folder / "epoch2.pt")
        assert state["model"]["encoder.0.weight"].device == torch.device("cuda:0")
        assert state["model"]["classifier.weight"].device == torch.device("cuda:1")
        resumed.load_state_dict(state)
        resumed.fit(train, valid)
    reference = Trainer(Config(first="cpu", second="cpu"))
    reference.fit(train, valid)
    for a, b, c in zip(trainer.model.parameters(), resumed.model.parameters(), reference.model.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(a.detach().cpu(), c.detach(), rtol=1e-2, atol=1e-3)
    assert resumed.scheduler.get_last_lr() == reference.scheduler.get_last_lr() == [0.1 * 0.5 * 0.5]
    print("ok", history.logs[-1])


if __name__ == "__main__":
    main()
