# Mixed-precision training on cuda:0 with warm-up, accumulation and resume; evaluation of a copy of the model on cuda:1.
# runs
import math
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    dim: int = 8
    hidden: int = 24
    epochs: int = 4
    batch_size: int = 10
    accumulate: int = 2
    warmup: int = 3
    lr: float = 0.05
    train_device: str = "cuda:0"
    eval_device: str = "cuda:1"


class Waves(Dataset):
    def __init__(self, count, dim, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.standard_normal((count, dim)).astype(np.float32)
        self.y = np.tanh(self.x[:, :2].sum(axis=1, keepdims=True)).astype(np.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


def build(cfg):
    return nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.GELU(), nn.LayerNorm(cfg.hidden), nn.Linear(cfg.hidden, 1))


class Trainer:
    def __init__(self, cfg, callbacks=()):
        torch.manual_seed(37)
        self.cfg, self.callbacks = cfg, list(callbacks)
        self.model = build(cfg).to(cfg.train_device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda step: self.factor(step))
        self.scaler = torch.amp.GradScaler("cuda", init_scale=512.0, growth_interval=1000)
        self.epoch, self.updates = 0, 0

    def factor(self, step):
        if step < self.cfg.warmup:
            return (step + 1) / self.cfg.warmup
        return 0.5 * (1.0 + math.cos(math.pi * min(1.0, (step - self.cfg.warmup) / 20)))

    def train_epoch(self, loader):
        self.model.train()
        losses = []
        for index, (x, y) in enumerate(loader):
            x, y = x.to(self.cfg.train_device), y.to(self.cfg.train_device)
            with torch.autocast("cuda", dtype=torch.float16):
                prediction = self.model(x)
                loss = nn.functional.mse_loss(prediction, y)
            assert prediction.dtype == torch.float16 and loss.dtype == torch.float32
            self.scaler.scale(loss / self.cfg.accumulate).backward()
            losses.append(loss.detach())
            if (index + 1) % self.cfg.accumulate == 0:
                self.scaler.unscale_(self.optimizer)
                norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                assert torch.isfinite(norm)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad(set_to_none=True)
                self.scheduler.step()
                self.updates += 1
        return torch.stack(losses).mean().item()

    @torch.no_grad()
    def evaluate(self, dataset):
        copy = build(self.cfg).to(self.cfg.eval_device)
        copy.load_state_dict(self.model.state_dict())
        copy.eval()
        prediction = copy(torch.from_numpy(dataset.x).to(self.cfg.eval_device)).cpu().numpy()
        return {"mse": float(np.mean((prediction - dataset.y) ** 2)), "sign": float(np.mean(np.sign(prediction) == np.sign(dataset.y)))}

    def state(self):
        return {
            "config": asdict(self.cfg), "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(), "scaler": self.scaler.state_dict(),
            "epoch": self.epoch, "updates": self.updates,
        }

    def restore(self, path):
        state = torch.load(path, map_location=self.cfg.train_device, weights_only=True)
        assert Config(**state["config"]) == self.cfg
        for name in ("model", "optimizer", "scheduler", "scaler"):
            getattr(self, name).load_state_dict(state[name])
        self.epoch, self.updates = state["epoch"], state["updates"]

    def fit(self, loader, valid):
        while self.epoch < self.cfg.epochs:
            loss = self.train_epoch(loader)
            self.epoch += 1
            for callback in self.callbacks:
                callback(self, {"loss": loss, **self.evaluate(valid)})


def main():
    cfg = Config()
    train = DataLoader(Waves(80, cfg.dim, 0), batch_size=cfg.batch_size)
    valid = Waves(40, cfg.dim, 1)
    logs = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "epoch2.pt"
        trainer = Trainer(cfg, [lambda t, log: logs.append(log)])
        trainer.callbacks.append(lambda t, log: torch.save(t.state(), path) if t.epoch == 2 else None)
        trainer.fit(train, valid)
        resumed = Trainer(cfg)
        resumed.restore(path)
        resumed.fit(train, valid)
    assert trainer.updates == resumed.updates == 16 and len(logs) == 4
    assert trainer.scaler.get_scale() == 512.0
    assert logs[-1]["loss"] < logs[0]["loss"]
    for a, b in zip(trainer.model.parameters(), resumed.model.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)
    assert trainer.scheduler.get_last_lr() == resumed.scheduler.get_last_lr()
    print("ok", logs[-1])


if __name__ == "__main__":
    main()
