# A small GAN with the generator on cuda:0 and the discriminator on cuda:1, logits loss under autocast, checkpoints and history.
# runs
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class GanConfig:
    noise: int = 4
    width: int = 16
    batch_size: int = 16
    epochs: int = 2
    lr: float = 2e-3
    generator: str = "cuda:0"
    discriminator: str = "cuda:1"


def mlp(inputs, width, outputs):
    return nn.Sequential(nn.Linear(inputs, width), nn.LeakyReLU(0.2), nn.Linear(width, outputs))


class History:
    def __init__(self):
        self.batches, self.epochs = [], []

    def batch_end(self, trainer, logs):
        self.batches.append(logs)

    def epoch_end(self, trainer):
        self.epochs.append(trainer.epoch)


class KeepCheckpoints:
    def __init__(self, folder, keep):
        self.folder, self.keep, self.paths = Path(folder), keep, []

    def batch_end(self, trainer, logs):
        pass

    def epoch_end(self, trainer):
        path = self.folder / f"gan{trainer.epoch}.pt"
        torch.save(trainer.state_dict(), path)
        self.paths.append(path)
        while len(self.paths) > self.keep:
            self.paths.pop(0).unlink()


class GanTrainer:
    def __init__(self, cfg, callbacks=()):
        torch.manual_seed(19)
        self.cfg, self.callbacks, self.epoch = cfg, list(callbacks), 0
        self.generator = mlp(cfg.noise, cfg.width, 2).to(cfg.generator)
        self.critic = mlp(2, cfg.width, 1).to(cfg.discriminator)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.loss = nn.BCEWithLogitsLoss()
        self.noise_source = torch.Generator(device=cfg.generator).manual_seed(1)

    def sample(self, count):
        z = torch.randn(count, self.cfg.noise, device=self.cfg.generator, generator=self.noise_source)
        return self.generator(z)

    def judge(self, samples, label):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = self.critic(samples.to(self.cfg.discriminator))
            return self.loss(logits, torch.full_like(logits, label))

    def train_discriminator(self, real):
        self.opt_d.zero_grad()
        loss = self.judge(real, 1.0) + self.judge(self.sample(len(real)).detach(), 0.0)
        loss.backward()
        assert all(p.grad is None for p in self.generator.parameters())
        self.opt_d.step()
        return loss.item()

    def train_generator(self, count):
        self.opt_g.zero_grad()
        self.critic.requires_grad_(False)
        loss = self.judge(self.sample(count), 1.0)
        loss.backward()
        self.critic.requires_grad_(True)
        assert all(p.grad.device == torch.device(self.cfg.generator) for p in self.generator.parameters())
        self.opt_g.step()
        self.opt_g.zero_grad()
        return loss.item()

    def fit(self, loader):
        while self.epoch < self.cfg.epochs:
            for (real,) in loader:
                logs = {"d": self.train_discriminator(real), "g": self.train_generator(len(real))}
                for callback in self.callbacks:
                    callback.batch_end(self, logs)
            self.epoch += 1
            for callback in self.callbacks:
                callback.epoch_end(self)

    def state_dict(self):
        modules = {name: getattr(self, name).state_dict() for name in ("generator", "critic", "opt_g", "opt_d")}
        return {**modules, "epoch": self.epoch, "noise_state": self.noise_source.get_state()}

    def load_state_dict(self, state):
        for name in ("generator", "critic", "opt_g", "opt_d"):
            getattr(self, name).load_state_dict(state[name])
        self.epoch = state["epoch"]
        self.noise_source.set_state(state["noise_state"])


def main():
    cfg = GanConfig()
    angle = torch.rand(64, generator=torch.Generator().manual_seed(3)) * 6.2831853
    real = torch.stack([angle.cos(), angle.sin()], dim=1)
    loader = DataLoader(TensorDataset(real), batch_size=cfg.batch_size)
    history = History()
    with tempfile.TemporaryDirectory() as folder:
        keeper = KeepCheckpoints(folder, keep=1)
        trainer = GanTrainer(cfg, [history, keeper])
        before = [p.detach().clone() for p in trainer.generator.parameters()]
        trainer.fit(loader)
        assert len(keeper.paths) == 1 and len(list(Path(folder).iterdir())) == 1
        state = torch.load(keeper.paths[0])
    assert len(history.batches) == 8 and history.epochs == [1, 2]
    assert all(torch.isfinite(torch.tensor([log["d"], log["g"]])).all() for log in history.batches)
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.generator.parameters()))

    again = GanTrainer(cfg)
    again.load_state_dict(state)
    assert again.epoch == 2
    with torch.no_grad():
        ours, theirs = again.sample(5), trainer.sample(5)
        assert torch.equal(ours, theirs)
        score = trainer.critic(ours.to(cfg.discriminator))
        host = mlp(2, cfg.width, 1)
        host.load_state_dict({k: v.cpu() for k, v in state["critic"].items()})
        torch.testing.assert_close(score.cpu(), host(ours.cpu()), rtol=1e-4, atol=1e-4)
    print("ok", history.batches[-1])


if __name__ == "__main__":
    main()
