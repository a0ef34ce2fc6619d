# Data parallelism by hand in one process: two replicas, averaged gradients, broadcast parameters, checked against the CPU.
# runs
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.cuda.comm as comm
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    devices: list = field(default_factory=lambda: ["cuda:0", "cuda:1"])
    features: int = 7
    hidden: int = 12
    batch_size: int = 16
    epochs: int = 2
    lr: float = 0.1
    momentum: float = 0.9


def build(cfg):
    torch.manual_seed(29)
    return nn.Sequential(nn.Linear(cfg.features, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, 2))


class ReplicaTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.devices = [torch.device(d) for d in cfg.devices]
        self.replicas = [build(cfg).to(d) for d in self.devices]
        self.optimizer = torch.optim.SGD(self.replicas[0].parameters(), lr=cfg.lr, momentum=cfg.momentum)
        self.callbacks = []
        self.epoch = 0

    def backward_on_all(self, x, y):
        losses = []
        for replica, device, xs, ys in zip(self.replicas, self.devices, x.chunk(2), y.chunk(2)):
            replica.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(replica(xs.to(device)), ys.to(device))
            loss.backward()
            losses.append(loss.detach())
        return sum(loss.item() for loss in losses) / len(losses)

    @torch.no_grad()
    def average_gradients(self):
        for params in zip(*[r.parameters() for r in self.replicas]):
            total = comm.reduce_add([p.grad for p in params], destination=0)
            params[0].grad.copy_(total / len(params))

    @torch.no_grad()
    def share_parameters(self):
        for main, copy in zip(self.replicas[0].parameters(), self.replicas[1].parameters()):
            copy.copy_(main, non_blocking=True)

    def fit(self, loader):
        while self.epoch < self.cfg.epochs:
            losses = []
            for x, y in loader:
                losses.append(self.backward_on_all(x, y))
                self.average_gradients()
                self.optimizer.step()
                self.share_parameters()
            self.epoch += 1
            for callback in self.callbacks:
                callback(self, sum(losses) / len(losses))

    @torch.no_grad()
    def evaluate(self, data):
        """Each replica evaluates its half; the counts are added on the first GPU."""
        x, y = data.tensors
        hits = []
        for replica, device, xs, ys in zip(self.replicas, self.devices, x.chunk(2), y.chunk(2)):
            hits.append((replica(xs.to(device)).argmax(1) == ys.to(device)).sum().float().view(1))
        return comm.reduce_add(hits, destination=0).item() / len(y)

    def state_dict(self):
        return {"model": self.replicas[0].state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}

    def load_state_dict(self, state):
        self.replicas[0].load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]
        self.share_parameters()


def cpu_reference(cfg, loader):
    model = build(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
    for _ in range(cfg.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    return model


def main():
    cfg = Config()
    gen = torch.Generator().manual_seed(0)
    x = torch.randn(96, cfg.features, generator=gen)
    data = TensorDataset(x, (x[:, 0] > x[:, 1]).long())
    loader = DataLoader(data, batch_size=cfg.batch_size)
    history = []
    trainer = ReplicaTrainer(cfg)
    trainer.callbacks.append(lambda t, loss: history.append((t.epoch, loss)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replica.pt"
        trainer.callbacks.append(lambda t, loss: torch.save(t.state_dict(), path) if t.epoch == 1 else None)
        trainer.fit(loader)
        resumed = ReplicaTrainer(cfg)
        resumed.load_state_dict(torch.load(path, map_location="cuda:0"))
    resumed.fit(loader)
    assert [epoch for epoch, _ in history] == [1, 2]
    model = cpu_reference(cfg, loader)
    for a, b, c, d in zip(*[m.parameters() for m in (*trainer.replicas, resumed.replicas[1], model)]):
        assert a.device == torch.device("cuda:0") and b.device == torch.device("cuda:1")
        assert torch.equal(a.cpu(), b.cpu())
        torch.testing.assert_close(b.detach(), c.detach(), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(a.detach().cpu(), d.detach(), rtol=1e-3, atol=1e-4)
    hits = (model(x).argmax(1) == data.tensors[1]).float().mean().item()
    assert abs(trainer.evaluate(data) - hits) < 0.03
    print("ok", history)


if __name__ == "__main__":
    main()
