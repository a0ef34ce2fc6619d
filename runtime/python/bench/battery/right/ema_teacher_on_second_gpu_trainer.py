# A student on cuda:0 learns from an exponential moving average teacher on cuda:1; the teacher is checked by hand.
# runs
import copy
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    student: str = "cuda:0"
    teacher: str = "cuda:1"
    decay: float = 0.8
    consistency: float = 0.3
    epochs: int = 3
    batch_size: int = 16
    lr: float = 0.05


class EmaTeacher:
    def __init__(self, model, decay, device):
        self.device, self.decay = torch.device(device), decay
        self.model = copy.deepcopy(model).to(self.device).requires_grad_(False)
        self.updates = 0

    @torch.no_grad()
    def update(self, model):
        incoming = [p.detach().to(self.device, non_blocking=True) for p in model.parameters()]
        torch._foreach_lerp_(list(self.model.parameters()), incoming, 1.0 - self.decay)
        self.updates += 1


class Callback:
    def batch_end(self, trainer):
        pass

    def epoch_end(self, trainer, logs):
        pass


class RecordWeights(Callback):
    """Keeps the student's first weight after every batch, to recompute the average on the CPU."""

    def __init__(self):
        self.weights = []

    def batch_end(self, trainer):
        self.weights.append(trainer.student[0].weight.detach().cpu().clone())


class EarlyStop(Callback):
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def epoch_end(self, trainer, logs):
        if logs["valid"] < self.best - 1e-6:
            self.best, self.bad = logs["valid"], 0
        else:
            self.bad += 1
        trainer.stop = self.bad >= self.patience


class Trainer:
    def __init__(self, cfg, callbacks):
        torch.manual_seed(13)
        self.cfg, self.callbacks, self.stop = cfg, callbacks, False
        self.student = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1)).to(cfg.student)
        self.teacher = EmaTeacher(self.student, cfg.decay, cfg.teacher)
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=cfg.lr)
        self.logs = []

    def losses(self, x, y):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            ours = self.student(x.to(self.cfg.student))
        with torch.no_grad():
            theirs = self.teacher.model(x.to(self.cfg.teacher)).to(self.cfg.student)
        supervised = nn.functional.mse_loss(ours.float(), y.to(self.cfg.student))
        return supervised, nn.functional.mse_loss(ours.float(), theirs)

    def fit(self, loader, valid):
        for epoch in range(self.cfg.epochs):
            total = 0.0
            for x, y in loader:
                supervised, consistency = self.losses(x, y)
                self.optimizer.zero_grad()
                (supervised + self.cfg.consistency * consistency).backward()
                self.optimizer.step()
                self.teacher.update(self.student)
                for callback in self.callbacks:
                    callback.batch_end(self)
                total += supervised.item()
            logs = {"epoch": epoch, "train": total / len(loader), "valid": self.evaluate(valid)}
            self.logs.append(logs)
            for callback in self.callbacks:
                callback.epoch_end(self, logs)
            if self.stop:
                break

    @torch.no_grad()
    def evaluate(self, data):
        x, y = data.tensors
        return nn.functional.mse_loss(self.teacher.model(x.to(self.cfg.teacher)).cpu(), y).item()


def make_data(count, seed):
    x = torch.randn(count, 6, generator=torch.Generator().manual_seed(seed))
    return TensorDataset(x, (x[:, :1] - 0.5 * x[:, 1:2]))


def main():
    cfg = Config()
    record = RecordWeights()
    trainer = Trainer(cfg, [record, EarlyStop(patience=3)])
    expected = trainer.student[0].weight.detach().cpu().clone()
    trainer.fit(DataLoader(make_data(64, 1), batch_size=cfg.batch_size), make_data(32, 2))

    assert trainer.teacher.updates == len(record.weights) == 12
    for weight in record.weights:
        expected = cfg.decay * expected + (1.0 - cfg.decay) * weight
    teacher_weight = trainer.teacher.model[0].weight
    assert teacher_weight.device == torch.device("cuda:1") and not teacher_weight.requires_grad
    torch.testing.assert_close(teacher_weight.cpu(), expected, rtol=1e-4, atol=1e-5)
    assert trainer.logs[-1]["train"] < trainer.logs[0]["train"]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ema.pt"
        torch.save(trainer.teacher.model.state_dict(), path)
        state = torch.load(path, map_location={"cuda:1": "cuda:0"})
    restored = copy.deepcopy(trainer.student)
    restored.load_state_dict(state)
    assert {t.device for t in state.values()} == {torch.device("cuda:0")}
    assert torch.equal(restored[0].weight.detach().cpu(), teacher_weight.cpu())
    print("ok", trainer.logs[-1])


if __name__ == "__main__":
    main()
