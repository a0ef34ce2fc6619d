# A callback turns predictions that are still on the GPU into a NumPy array.
# raises: TypeError: can't convert cuda:1 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Config:
    in_features: int = 9
    hidden: int = 18
    classes: int = 3
    batch_size: int = 15
    epochs: int = 2
    lr: float = 3e-3
    encoder_device: str = "cuda:0"
    head_device: str = "cuda:1"


class Model(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.encoder = nn.Sequential(nn.Linear(cfg.in_features, cfg.hidden), nn.SiLU()).to(cfg.encoder_device)
        self.head = nn.Linear(cfg.hidden, cfg.classes).to(cfg.head_device)

    def forward(self, x):
        hidden = self.encoder(x.to(self.cfg.encoder_device, non_blocking=True))
        return self.head(hidden.to(self.cfg.head_device))


class Callback:
    def on_train_begin(self, trainer):
        pass

    def on_eval_batch(self, trainer, logits, labels):
        pass

    def on_epoch_end(self, trainer):
        pass


class ConfusionMatrix(Callback):
    def __init__(self, classes):
        self.classes = classes

    def on_train_begin(self, trainer):
        self.matrix = np.zeros((self.classes, self.classes), dtype=np.int64)

    def on_eval_batch(self, trainer, logits, labels):
        predicted = logits.argmax(dim=1).numpy()  # raises
        np.add.at(self.matrix, (labels.numpy(), predicted), 1)

    def on_epoch_end(self, trainer):
        accuracy = np.trace(self.matrix) / max(self.matrix.sum(), 1)
        print(f"epoch {trainer.epoch}: accuracy {accuracy:.3f}")
        self.matrix[:] = 0


class LearningRateLog(Callback):
    def __init__(self):
        self.rates = []

    def on_epoch_end(self, trainer):
        self.rates.append(trainer.scheduler.get_last_lr()[0])


class Trainer:
    def __init__(self, cfg: Config, callbacks: list[Callback]):
        self.cfg, self.callbacks = cfg, callbacks
        torch.manual_seed(4)
        self.model = Model(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=1, gamma=0.5)
        self.epoch = 0

    def emit(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def train_one_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = self.model(x)
            loss = nn.functional.cross_entropy(logits.float(), y.to(logits.device))
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
        self.scheduler.step()

    def evaluate(self, loader):
        self.model.eval()
        with torch.inference_mode():
            for x, y in loader:
                self.emit("on_eval_batch", self.model(x), y)

    def fit(self, train_loader, valid_loader):
        self.emit("on_train_begin")
        for self.epoch in range(self.cfg.epochs):
            self.train_one_epoch(train_loader)
            self.evaluate(valid_loader)
            self.emit("on_epoch_end")


def dataset(cfg, count, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(count, cfg.in_features, generator=gen)
    return TensorDataset(x, x[:, :3].argmax(dim=1))


def main():
    cfg = Config()
    train = DataLoader(dataset(cfg, 60, 0), batch_size=cfg.batch_size, shuffle=True, pin_memory=True)
    valid = DataLoader(dataset(cfg, 30, 1), batch_size=cfg.batch_size)
    rates = LearningRateLog()
    Trainer(cfg, [ConfusionMatrix(cfg.classes), rates]).fit(train, valid)
    print(rates.rates)


if __name__ == "__main__":
    main()
