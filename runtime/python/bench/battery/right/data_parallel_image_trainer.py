# A convolutional classifier under DataParallel on both GPUs with AMP, callbacks and best-checkpoint selection.
# runs
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    classes: int = 3
    size: int = 8
    batch_size: int = 12
    epochs: int = 5
    lr: float = 0.05
    device: str = "cuda:0"
    device_ids: tuple = (0, 1)


class Net(nn.Module):
    used_devices = set()

    def __init__(self, cfg):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.classifier = nn.Linear(16, cfg.classes)

    def forward(self, x):
        Net.used_devices.add(x.device)
        return self.classifier(self.features(x))


class Accuracy:
    def __init__(self, classes):
        self.matrix = torch.zeros(classes, classes, dtype=torch.long)

    def update(self, logits, labels):
        predicted = logits.argmax(dim=1).cpu()
        self.matrix += torch.bincount(labels * len(self.matrix) + predicted, minlength=self.matrix.numel()).view_as(self.matrix)

    def value(self):
        return (self.matrix.diag().sum() / self.matrix.sum()).item()


class BestCheckpoint:
    def __init__(self, path):
        self.path, self.best, self.saves = path, -1.0, 0

    def epoch_end(self, trainer, logs):
        if logs["accuracy"] > self.best:
            self.best = logs["accuracy"]
            self.saves += 1
            torch.save({"model": trainer.model.state_dict(), "accuracy": self.best}, self.path)


class Trainer:
    def __init__(self, cfg, callbacks):
        torch.manual_seed(0)
        self.cfg, self.callbacks = cfg, callbacks
        self.model = Net(cfg).to(cfg.device)
        self.parallel = nn.DataParallel(self.model, device_ids=list(cfg.device_ids))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=256.0)
        self.logs = []

    def train_epoch(self, loader):
        self.parallel.train()
        losses = []
        for images, labels in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                logits = self.parallel(images.to(self.cfg.device))
            assert logits.device == torch.device(self.cfg.device) and logits.size(0) == len(labels)
            loss = nn.functional.cross_entropy(logits.float(), labels.to(self.cfg.device))
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, loader):
        self.parallel.eval()
        accuracy = Accuracy(self.cfg.classes)
        for images, labels in loader:
            accuracy.update(self.parallel(images.to(self.cfg.device)), labels)
        return accuracy.value()

    def fit(self, train_loader, valid_loader):
        for _ in range(self.cfg.epochs):
            logs = {"loss": self.train_epoch(train_loader), "accuracy": self.evaluate(valid_loader)}
            self.logs.append(logs)
            for callback in self.callbacks:
                callback.epoch_end(self, logs)


def make_data(cfg, count, seed):
    gen = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % cfg.classes
    images = 0.1 * torch.randn(count, 1, cfg.size, cfg.size, generator=gen) + labels.view(-1, 1, 1, 1).float()
    return TensorDataset(images, labels)


def main():
    cfg = Config()
    train = DataLoader(make_data(cfg, 60, 1), batch_size=cfg.batch_size, shuffle=True,
                       generator=torch.Generator().manual_seed(2))
    valid = DataLoader(make_data(cfg, 30, 3), batch_size=10)
    with tempfile.TemporaryDirectory() as folder:
        best = BestCheckpoint(Path(folder) / "best.pt")
        trainer = Trainer(cfg, [best])
        trainer.fit(train, valid)
        state = torch.load(best.path, map_location="cpu")
    assert Net.used_devices == {torch.device("cuda:0"), torch.device("cuda:1")}
    assert len(trainer.logs) == cfg.epochs and best.saves >= 1
    assert trainer.logs[-1]["loss"] < trainer.logs[0]["loss"]
    assert state["accuracy"] == max(log["accuracy"] for log in trainer.logs)

    host = Net(cfg)
    host.load_state_dict(state["model"])
    trainer.model.load_state_dict(state["model"])
    images = valid.dataset.tensors[0]
    trainer.parallel.eval()
    with torch.no_grad():
        both = trainer.parallel(images.to(cfg.device)).cpu()
        torch.testing.assert_close(both, host(images), rtol=1e-2, atol=1e-2)
    print("ok", best.best)


if __name__ == "__main__":
    main()
