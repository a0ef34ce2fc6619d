# The generator that shuffles the DataLoader lives on the GPU, but the permutation is made on the CPU.
# raises: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
import copy
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class ExperimentConfig:
    train_device: str = "cuda:0"
    ema_device: str = "cuda:1"
    samples: int = 60
    features: int = 8
    batch_size: int = 12
    epochs: int = 2
    lr: float = 1e-2
    ema_decay: float = 0.9
    seed: int = 17


class SineDataset(Dataset):
    def __init__(self, cfg):
        gen = torch.Generator().manual_seed(cfg.seed)
        self.x = torch.randn(cfg.samples, cfg.features, generator=gen)
        self.y = torch.sin(self.x.sum(dim=1, keepdim=True))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class Ema:
    """Keeps a slow copy of the model on another GPU."""

    def __init__(self, model, decay, device):
        self.model = copy.deepcopy(model).to(device).eval()
        self.decay, self.device = decay, device

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.model.parameters(), model.parameters()):
            slow.lerp_(fast.to(self.device), 1.0 - self.decay)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.model = nn.Sequential(nn.Linear(cfg.features, 24), nn.Tanh(), nn.Linear(24, 1)).to(cfg.train_device)
        self.ema = Ema(self.model, cfg.ema_decay, cfg.ema_device)
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=64.0)
        self.shuffle_generator = torch.Generator(device=cfg.train_device).manual_seed(cfg.seed)
        self.loader = DataLoader(
            SineDataset(cfg),
            batch_size=cfg.batch_size,
            shuffle=True,
            generator=self.shuffle_generator,
        )
        self.logs = []

    def step(self, x, y):
        x, y = x.to(self.cfg.train_device), y.to(self.cfg.train_device)
        with torch.autocast("cuda", dtype=torch.float16):
            prediction = self.model(x)
        loss = nn.functional.smooth_l1_loss(prediction.float(), y)
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.ema.update(self.model)
        return loss.item()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            losses = []
            for x, y in self.loader:  # raises
                losses.append(self.step(x, y))
            self.logs.append({"epoch": epoch, "loss": sum(losses) / len(losses), "ema_mse": self.evaluate()})

    @torch.no_grad()
    def evaluate(self):
        data = self.loader.dataset
        prediction = self.ema.model(data.x.to(self.cfg.ema_device)).cpu()
        return nn.functional.mse_loss(prediction, data.y).item()

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "ema": self.ema.model.state_dict(), "logs": self.logs}, path)


def main():
    trainer = Trainer(ExperimentConfig())
    trainer.fit()
    with tempfile.TemporaryDirectory() as folder:
        trainer.save(Path(folder) / "final.pt")
    for record in trainer.logs:
        print(record)


if __name__ == "__main__":
    main()
