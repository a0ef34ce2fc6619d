# The checkpoint contains the configuration object itself, and torch.load allows only weights by default.
# raises: UnpicklingError: Weights only load failed ... was not an allowed global by default
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class RunConfig:
    student_device: str = "cuda:0"
    teacher_device: str = "cuda:1"
    dim: int = 10
    hidden: int = 20
    classes: int = 4
    epochs: int = 2
    lr: float = 0.05
    temperature: float = 2.0


def mlp(dim, hidden, classes):
    return nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, classes))


class DistillationTrainer:
    def __init__(self, cfg: RunConfig):
        self.cfg = cfg
        torch.manual_seed(0)
        self.teacher = mlp(cfg.dim, 2 * cfg.hidden, cfg.classes).to(cfg.teacher_device).eval()
        self.student = mlp(cfg.dim, cfg.hidden, cfg.classes).to(cfg.student_device)
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=cfg.lr, momentum=0.9)
        self.callbacks = []
        self.epoch = 0

    def add_callback(self, callback):
        self.callbacks.append(callback)
        return self

    def teacher_targets(self, x):
        with torch.no_grad():
            logits = self.teacher(x.to(self.cfg.teacher_device))
        return (logits / self.cfg.temperature).softmax(dim=1).to(self.cfg.student_device)

    def train_epoch(self, loader):
        self.student.train()
        losses = []
        for (x,) in loader:
            soft = self.teacher_targets(x)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = self.student(x.to(self.cfg.student_device))
            log_probs = (logits.float() / self.cfg.temperature).log_softmax(dim=1)
            loss = nn.functional.kl_div(log_probs, soft, reduction="batchmean")
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.detach())
        return torch.stack(losses).mean().item()

    @torch.no_grad()
    def agreement(self, loader):
        self.student.eval()
        same, total = 0, 0
        for (x,) in loader:
            s = self.student(x.to(self.cfg.student_device)).argmax(1).cpu()
            t = self.teacher(x.to(self.cfg.teacher_device)).argmax(1).cpu()
            same += (s == t).sum().item()
            total += len(x)
        return same / total

    def fit(self, loader):
        while self.epoch < self.cfg.epochs:
            loss = self.train_epoch(loader)
            self.epoch += 1
            for callback in self.callbacks:
                callback(self, {"loss": loss, "agreement": self.agreement(loader)})


class Checkpointer:
    def __init__(self, path):
        self.path = Path(path)

    def __call__(self, trainer, logs):
        torch.save(
            {
                "config": trainer.cfg,
                "student": trainer.student.state_dict(),
                "optimizer": trainer.optimizer.state_dict(),
                "epoch": trainer.epoch,
                "logs": logs,
            },
            self.path,
        )

    def restore(self, trainer):
        state = torch.load(self.path, map_location=trainer.cfg.student_device)  # raises
        trainer.cfg = state["config"]
        trainer.student.load_state_dict(state["student"])
        trainer.optimizer.load_state_dict(state["optimizer"])
        trainer.epoch = state["epoch"]


def main():
    gen = torch.Generator().manual_seed(2)
    loader = DataLoader(TensorDataset(torch.randn(64, 10, generator=gen)), batch_size=16)
    with tempfile.TemporaryDirectory() as folder:
        checkpointer = Checkpointer(Path(folder) / "distill.pt")
        trainer = DistillationTrainer(RunConfig()).add_callback(checkpointer)
        trainer.fit(loader)
        resumed = DistillationTrainer(RunConfig())
        checkpointer.restore(resumed)
        resumed.fit(loader)
        print(f"agreement after resume {resumed.agreement(loader):.3f}")


if __name__ == "__main__":
    main()
