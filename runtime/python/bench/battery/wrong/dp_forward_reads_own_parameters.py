# The module asks next(self.parameters()) for its device, which is empty inside a DataParallel replica.
# raises: StopIteration: Caught StopIteration in replica 0 on device 0
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    vocab: int = 40
    width: int = 16
    max_len: int = 12
    classes: int = 3
    lr: float = 1e-2


class SentenceClassifier(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.tokens = nn.Embedding(cfg.vocab, cfg.width)
        self.mix = nn.Linear(cfg.width, cfg.width)
        self.head = nn.Linear(cfg.width, cfg.classes)

    @property
    def device(self):
        return next(self.parameters()).device

    def positions(self, length):
        place = torch.arange(length, device=self.device).unsqueeze(1)
        rate = torch.exp(
            torch.arange(0, self.cfg.width, 2, device=self.device)
            * (-math.log(10000.0) / self.cfg.width)
        )
        table = torch.zeros(length, self.cfg.width, device=self.device)
        table[:, 0::2] = torch.sin(place * rate)
        table[:, 1::2] = torch.cos(place * rate)
        return table

    def forward(self, ids):
        hidden = self.tokens(ids) + self.positions(ids.size(1))
        hidden = torch.relu(self.mix(hidden)).mean(1)
        return self.head(hidden)


class Trainer:
    def __init__(self, cfg):
        self.model = nn.DataParallel(SentenceClassifier(cfg).to("cuda:0"), device_ids=[0, 1])
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.loss = nn.CrossEntropyLoss()

    def fit(self, batches):
        for ids, labels in batches:
            self.optim.zero_grad()
            logits = self.model(ids.to("cuda:0"))  # raises
            loss = self.loss(logits, labels.to("cuda:0"))
            loss.backward()
            self.optim.step()
            print(f"loss {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    cfg = Config()
    batches = [
        (torch.randint(0, cfg.vocab, (8, cfg.max_len)), torch.randint(0, cfg.classes, (8,)))
        for _ in range(3)
    ]
    Trainer(cfg).fit(batches)


if __name__ == "__main__":
    main()
