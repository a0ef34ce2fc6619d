# Two threads train trials with different settings, one on each GPU; every result equals a run of the same trial on the CPU.
# runs
import queue
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
import torch.nn as nn


@dataclass(frozen=True)
class Trial:
    name: str
    width: int
    lr: float
    momentum: float = 0.9
    steps: int = 12
    device: str = "cpu"


class Callback:
    def step_end(self, trainer, loss):
        pass


class LossCurve(Callback):
    def __init__(self):
        self.values = []

    def step_end(self, trainer, loss):
        self.values.append(loss)


class SaveAtEnd(Callback):
    def __init__(self, folder):
        self.folder = Path(folder)

    def step_end(self, trainer, loss):
        if trainer.step == trainer.trial.steps:
            torch.save({"trial": asdict(trainer.trial), "model": trainer.model.state_dict(), "loss": loss},
                       self.folder / f"{trainer.trial.name}.pt")


class Trainer:
    def __init__(self, trial, data, callbacks):
        self.trial, self.callbacks, self.step = trial, callbacks, 0
        self.x, self.y = (t.to(trial.device) for t in data)
        gen = torch.Generator().manual_seed(trial.width)
        self.model = nn.Sequential(nn.Linear(5, trial.width), nn.Tanh(), nn.Linear(trial.width, 1))
        with torch.no_grad():
            for param in self.model.parameters():
                param.copy_(0.3 * torch.randn(param.shape, generator=gen))
        self.model.to(trial.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=trial.lr, momentum=trial.momentum)

    def fit(self):
        while self.step < self.trial.steps:
            loss = nn.functional.mse_loss(self.model(self.x), self.y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.step += 1
            for callback in self.callbacks:
                callback.step_end(self, loss.item())
        return self

    @torch.no_grad()
    def evaluate(self, data):
        x, y = data
        return nn.functional.mse_loss(self.model(x.to(self.trial.device)).cpu(), y).item()


class Pool:
    """Hands one free GPU to each running trial."""

    def __init__(self, devices, folder):
        self.free = queue.Queue()
        for device in devices:
            self.free.put(device)
        self.size, self.folder = len(devices), folder
        self.lock, self.used = threading.Lock(), {}

    def run_one(self, trial, train, valid):
        device = self.free.get()
        try:
            with torch.cuda.device(device):
                stream = torch.cuda.Stream()
                with torch.cuda.stream(stream):
                    curve = LossCurve()
                    trainer = Trainer(replace(trial, device=device), train, [curve, SaveAtEnd(self.folder)]).fit()
                    score = trainer.evaluate(valid)
                stream.synchronize()
            with self.lock:
                self.used[trial.name] = device
            return trial.name, score, curve.values
        finally:
            self.free.put(device)

    def run(self, trials, train, valid):
        with ThreadPoolExecutor(max_workers=self.size) as executor:
            futures = [executor.submit(self.run_one, trial, train, valid) for trial in trials]
            return {name: (score, curve) for name, score, curve in (f.result() for f in futures)}


def make_data(count, seed):
    x = torch.randn(count, 5, generator=torch.Generator().manual_seed(seed))
    return x, (x[:, :1] * x[:, 1:2]).tanh()


def main():
    train, valid = make_data(40, 0), make_data(20, 1)
    trials = [Trial("narrow", 4, 0.05), Trial("medium", 8, 0.05), Trial("wide", 16, 0.05), Trial("slow", 8, 0.01, 0.5)]
    with tempfile.TemporaryDirectory() as folder:
        pool = Pool(["cuda:0", "cuda:1"], folder)
        results = pool.run(trials, train, valid)
        assert set(results) == {"narrow", "medium", "wide", "slow"}
        assert set(pool.used.values()) <= {"cuda:0", "cuda:1"} and len(pool.used) == 4
        for trial in trials:
            curve = LossCurve()
            reference = Trainer(trial, train, [curve]).fit()
            score, values = results[trial.name]
            assert len(values) == trial.steps
            torch.testing.assert_close(torch.tensor(values), torch.tensor(curve.values), rtol=1e-3, atol=1e-4)
            assert abs(score - reference.evaluate(valid)) < 1e-3
            saved = torch.load(Path(folder) / f"{trial.name}.pt", map_location="cpu")
            assert saved["trial"]["device"] == pool.used[trial.name]
            for name, tensor in reference.model.state_dict().items():
                torch.testing.assert_close(saved["model"][name], tensor, rtol=1e-3, atol=1e-4)
    best = min(results, key=lambda name: results[name][0])
    print("ok", best, results[best][0])


if __name__ == "__main__":
    main()
