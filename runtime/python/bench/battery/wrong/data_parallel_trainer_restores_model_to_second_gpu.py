# After an evaluation pass the model is left on cuda:1 while DataParallel expects it on cuda:0.
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    channels: int = 4
    classes: int = 3
    image: int = 8
    batch_size: int = 12
    epochs: int = 2
    lr: float = 0.05
    main_device: str = "cuda:0"
    eval_device: str = "cuda:1"


def build_network(cfg):
    return nn.Sequential(
        nn.Conv2d(1, cfg.channels, 3, padding=1),
        nn.BatchNorm2d(cfg.channels),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(cfg.channels * (cfg.image // 2) ** 2, cfg.classes),
    )


class BestCheckpoint:
    def __init__(self, folder):
        self.path = Path(folder) / "best.pt"
        self.best = -1.0

    def epoch_end(self, trainer, logs):
        if logs["accuracy"] > self.best:
            self.best = logs["accuracy"]
            torch.save({"network": trainer.network.state_dict(), "logs": logs}, self.path)


class Console:
    def epoch_end(self, trainer, logs):
        print(f"epoch {trainer.epoch}: loss {logs['loss']:.4f} accuracy {logs['accuracy']:.3f}")


class Trainer:
    def __init__(self, cfg, callbacks=()):
        self.cfg = cfg
        self.callbacks = list(callbacks)
        torch.manual_seed(0)
        self.network = build_network(cfg).to(cfg.main_device)
        self.parallel = nn.DataParallel(self.network, device_ids=[0, 1])
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=cfg.lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=512.0)
        self.epoch = 0

    def train_epoch(self, loader):
        self.parallel.train()
        losses = []
        for images, labels in loader:
            images, labels = images.to(self.cfg.main_device), labels.to(self.cfg.main_device)
            logits = self.parallel(images)  # raises
            loss = nn.functional.cross_entropy(logits, labels)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, loader):
        network = self.network.to(self.cfg.eval_device)
        network.eval()
        hits, total = 0, 0
        for images, labels in loader:
            predicted = network(images.to(self.cfg.eval_device)).argmax(dim=1)
            hits += (predicted.cpu() == labels).sum().item()
            total += labels.numel()
        return hits / total

    def fit(self, train_loader, valid_loader):
        for self.epoch in range(self.cfg.epochs):
            logs = {"loss": self.train_epoch(train_loader)}
            logs["accuracy"] = self.evaluate(valid_loader)
            for callback in self.callbacks:
                callback.epoch_end(self, logs)
        return logs


def make_data(cfg, count, seed):
    gen = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, cfg.classes, (count,), generator=gen)
    images = torch.randn(count, 1, cfg.image, cfg.image, generator=gen) * 0.1
    images += labels.view(-1, 1, 1, 1).float()
    return TensorDataset(images, labels)


def main():
    cfg = Config()
    train = DataLoader(make_data(cfg, 48, 1), batch_size=cfg.batch_size, shuffle=True)
    valid = DataLoader(make_data(cfg, 24, 2), batch_size=cfg.batch_size)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(cfg, [Console(), BestCheckpoint(folder)])
        logs = trainer.fit(train, valid)
        print(logs)


if __name__ == "__main__":
    main()
