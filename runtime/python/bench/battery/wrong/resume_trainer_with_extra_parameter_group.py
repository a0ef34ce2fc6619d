# The optimizer is rebuilt with three parameter groups on resume, the checkpoint holds two.
# raises: ValueError: loaded state dict has a different number of parameter groups
from dataclasses import dataclass, field
from pathlib import Path
import tempfile

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainConfig:
    train_device: str = "cuda:0"
    eval_device: str = "cuda:1"
    width: int = 32
    lr: float = 5e-3
    head_lr: float = 2e-2
    weight_decay: float = 0.05
    epochs: int = 2
    batch_size: int = 20
    separate_biases: bool = False
    metrics: list = field(default_factory=lambda: ["mse", "mae"])


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(-1)


def parameter_groups(model, cfg):
    head = list(model.head.parameters())
    body = list(model.backbone.named_parameters())
    if not cfg.separate_biases:
        return [
            {"params": [p for _, p in body], "lr": cfg.lr, "weight_decay": cfg.weight_decay},
            {"params": head, "lr": cfg.head_lr, "weight_decay": 0.0},
        ]
    return [
        {"params": [p for n, p in body if n.endswith("weight")], "lr": cfg.lr, "weight_decay": cfg.weight_decay},
        {"params": [p for n, p in body if n.endswith("bias")], "lr": cfg.lr, "weight_decay": 0.0},
        {"params": head, "lr": cfg.head_lr, "weight_decay": 0.0},
    ]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(0)
        self.model = Regressor(cfg.width).to(cfg.train_device)
        self.optimizer = torch.optim.AdamW(parameter_groups(self.model, cfg))
        self.scaler = torch.amp.GradScaler("cuda", init_scale=1024.0)
        self.epoch = 0
        self.history = []

    def train_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            x, y = x.to(self.cfg.train_device), y.to(self.cfg.train_device)
            with torch.autocast("cuda", dtype=torch.float16):
                prediction = self.model(x)
            loss = nn.functional.mse_loss(prediction.float(), y)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()

    @torch.no_grad()
    def evaluate(self, loader):
        """Evaluation runs on a copy of the model on the second GPU."""
        copy = Regressor(self.cfg.width).to(self.cfg.eval_device)
        copy.load_state_dict(self.model.state_dict())
        copy.eval()
        errors = []
        for x, y in loader:
            errors.append(copy(x.to(self.cfg.eval_device)).cpu() - y)
        errors = torch.cat(errors)
        values = {"mse": errors.pow(2).mean().item(), "mae": errors.abs().mean().item()}
        return {name: values[name] for name in self.cfg.metrics}

    def fit(self, train_loader, valid_loader):
        while self.epoch < self.cfg.epochs:
            self.train_epoch(train_loader)
            self.history.append(self.evaluate(valid_loader))
            self.epoch += 1

    def save(self, path):
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scaler": self.scaler.state_dict(),
                "epoch": self.epoch,
                "history": self.history,
            },
            path,
        )

    def resume(self, path):
        state = torch.load(path, map_location=self.cfg.train_device)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])  # raises
        self.scaler.load_state_dict(state["scaler"])
        self.epoch = state["epoch"]
        self.history = state["history"]


def main():
    gen = torch.Generator().manual_seed(3)
    x = torch.randn(100, 6, generator=gen)
    y = x[:, 0] * 2 - x[:, 1]
    train = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=20, shuffle=True)
    valid = DataLoader(TensorDataset(x[80:], y[80:]), batch_size=20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.pt"
        first = Trainer(TrainConfig(epochs=1))
        first.fit(train, valid)
        first.save(path)

        second = Trainer(TrainConfig(epochs=3, separate_biases=True))
        second.resume(path)
        second.fit(train, valid)
        print(second.history)


if __name__ == "__main__":
    main()
