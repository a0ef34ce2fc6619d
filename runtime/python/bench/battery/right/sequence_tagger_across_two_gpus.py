# An LSTM tagger with its encoder on cuda:0 and its classifier on cuda:1: padding, masks, early stopping, per-tag metrics.
# runs
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

PAD = -100


@dataclass
class Config:
    vocab: int = 12
    tags: int = 3
    embed: int = 8
    hidden: int = 12
    batch_size: int = 8
    max_epochs: int = 6
    patience: int = 2
    lr: float = 0.02
    encoder: str = "cuda:0"
    classifier: str = "cuda:1"


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.vocab, cfg.embed).to(cfg.encoder)
        self.lstm = nn.LSTM(cfg.embed, cfg.hidden, batch_first=True, bidirectional=True).to(cfg.encoder)
        self.output = nn.Linear(2 * cfg.hidden, cfg.tags).to(cfg.classifier)

    def forward(self, tokens, lengths):
        embedded = self.embed(tokens.to(self.cfg.encoder))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.output(hidden.to(self.cfg.classifier))


def make_sentences(cfg, count, seed):
    gen = torch.Generator().manual_seed(seed)
    sentences = []
    for _ in range(count):
        length = int(torch.randint(3, 9, (1,), generator=gen))
        tokens = torch.randint(0, cfg.vocab, (length,), generator=gen)
        sentences.append((tokens, tokens % cfg.tags))
    return sentences


def collate(sentences):
    tokens, tags = zip(*sentences)
    lengths = torch.tensor([len(t) for t in tokens])
    return pad_sequence(tokens, batch_first=True), lengths, pad_sequence(tags, batch_first=True, padding_value=PAD)


class EarlyStopping:
    def __init__(self, patience, path):
        self.patience, self.path, self.best, self.bad = patience, path, float("inf"), 0

    def epoch_end(self, trainer, logs):
        if logs["valid"] < self.best:
            self.best, self.bad = logs["valid"], 0
            torch.save(trainer.model.state_dict(), self.path)
        else:
            self.bad += 1
            trainer.stop = self.bad >= self.patience


class Trainer:
    def __init__(self, cfg, callbacks):
        torch.manual_seed(53)
        self.cfg, self.callbacks, self.stop = cfg, callbacks, False
        self.model = Tagger(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.history = []

    def loss_of(self, batch):
        tokens, lengths, tags = batch
        logits = self.model(tokens, lengths)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten().to(logits.device), ignore_index=PAD)
        return loss, logits

    def fit(self, train, valid):
        for _ in range(self.cfg.max_epochs):
            self.model.train()
            losses = []
            for batch in train:
                loss, _ = self.loss_of(batch)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
                losses.append(loss.item())
            logs = {"train": float(np.mean(losses)), "valid": self.evaluate(valid)[0]}
            self.history.append(logs)
            for callback in self.callbacks:
                callback.epoch_end(self, logs)
            if self.stop:
                break

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        matrix = np.zeros((self.cfg.tags, self.cfg.tags), dtype=np.int64)
        losses = []
        for batch in loader:
            loss, logits = self.loss_of(batch)
            losses.append(loss.item())
            keep = batch[2] != PAD
            predicted = logits.argmax(dim=-1).cpu()[keep].numpy()
            np.add.at(matrix, (batch[2][keep].numpy(), predicted), 1)
        return float(np.mean(losses)), matrix


def main():
    torch.backends.cudnn.allow_tf32 = False
    cfg = Config()
    train = DataLoader(make_sentences(cfg, 48, 0), batch_size=cfg.batch_size, shuffle=True, collate_fn=collate,
                       generator=torch.Generator().manual_seed(0))
    held_out = make_sentences(cfg, 16, 1)
    valid = DataLoader(held_out, batch_size=cfg.batch_size, collate_fn=collate)
    with tempfile.TemporaryDirectory() as folder:
        stopping = EarlyStopping(cfg.patience, Path(folder) / "best.pt")
        trainer = Trainer(cfg, [stopping])
        trainer.fit(train, valid)
        state = torch.load(stopping.path)
    assert state["embed.weight"].device == torch.device("cuda:0")
    assert state["output.weight"].device == torch.device("cuda:1")
    assert trainer.history[-1]["train"] < trainer.history[0]["train"]
    assert stopping.best == min(log["valid"] for log in trainer.history)
    trainer.model.load_state_dict(state)
    loss, matrix = trainer.evaluate(valid)
    assert abs(loss - stopping.best) < 1e-4
    assert matrix.sum() == sum(len(tokens) for tokens, _ in held_out)

    host = Tagger(Config(encoder="cpu", classifier="cpu"))
    host.load_state_dict(state)
    tokens, lengths, _ = collate(held_out[:4])
    trainer.model.eval()
    with torch.no_grad():
        torch.testing.assert_close(trainer.model(tokens, lengths).cpu(), host(tokens, lengths), rtol=1e-2, atol=1e-2)
    print("ok", trainer.history[-1], np.trace(matrix) / matrix.sum())


if __name__ == "__main__":
    main()
