# The discriminator ends in a sigmoid and its BCELoss is computed inside the autocast region.
# raises: RuntimeError: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class GanConfig:
    noise: int = 6
    width: int = 16
    points: int = 2
    batch_size: int = 16
    epochs: int = 1
    generator_device: str = "cuda:0"
    discriminator_device: str = "cuda:1"
    lr: float = 1e-3


class Generator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.noise, cfg.width), nn.ReLU(), nn.Linear(cfg.width, cfg.points))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(cfg.points, cfg.width),
            nn.LeakyReLU(0.2),
            nn.Linear(cfg.width, 1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


class History:
    def __init__(self):
        self.records = []

    def batch_end(self, trainer, logs):
        self.records.append(logs)


class EveryN:
    def __init__(self, n, action):
        self.n, self.action, self.count = n, action, 0

    def batch_end(self, trainer, logs):
        self.count += 1
        if self.count % self.n == 0:
            self.action(trainer)


class GanTrainer:
    def __init__(self, cfg, callbacks):
        self.cfg, self.callbacks = cfg, callbacks
        torch.manual_seed(0)
        self.generator = Generator(cfg).to(cfg.generator_device)
        self.discriminator = Discriminator(cfg).to(cfg.discriminator_device)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.criterion = nn.BCELoss()
        self.scaler = torch.amp.GradScaler("cuda", init_scale=128.0)

    def judge(self, samples, label):
        samples = samples.to(self.cfg.discriminator_device)
        with torch.autocast("cuda", dtype=torch.float16):
            score = self.discriminator(samples)
            target = torch.full_like(score, label)
            return self.criterion(score, target)  # raises

    def sample(self, count):
        z = torch.randn(count, self.cfg.noise, device=self.cfg.generator_device)
        with torch.autocast("cuda", dtype=torch.float16):
            return self.generator(z)

    def discriminator_step(self, real):
        fake = self.sample(len(real)).detach()
        loss = self.judge(real, 1.0) + self.judge(fake, 0.0)
        self.opt_d.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt_d)
        return loss.item()

    def generator_step(self, count):
        loss = self.judge(self.sample(count), 1.0)
        self.opt_g.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt_g)
        return loss.item()

    def fit(self, loader):
        for _ in range(self.cfg.epochs):
            for (real,) in loader:
                logs = {"d": self.discriminator_step(real), "g": self.generator_step(len(real))}
                self.scaler.update()
                for callback in self.callbacks:
                    callback.batch_end(self, logs)

    def state_dict(self):
        return {"g": self.generator.state_dict(), "d": self.discriminator.state_dict()}


def main():
    cfg = GanConfig()
    angle = torch.rand(64, generator=torch.Generator().manual_seed(1)) * 6.283
    real = torch.stack([angle.cos(), angle.sin()], dim=1)
    history = History()
    snapshots = []
    trainer = GanTrainer(cfg, [history, EveryN(2, lambda t: snapshots.append(t.state_dict()))])
    trainer.fit(DataLoader(TensorDataset(real), batch_size=cfg.batch_size))
    print(len(history.records), "batches,", len(snapshots), "snapshots")


if __name__ == "__main__":
    main()
