# The trainer unscales the gradients to log their norm and the clipping callback unscales them again.
# raises: RuntimeError: unscale_() has already been called on this optimizer since the last update().
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Settings:
    vocab: int = 40
    dim: int = 16
    length: int = 10
    steps_per_epoch: int = 4
    epochs: int = 1
    max_norm: float = 0.5
    devices: tuple = ("cuda:0", "cuda:1")


class TinyLanguageModel(nn.Module):
    """Embedding and attention on the first GPU, feed-forward part and output on the second."""

    def __init__(self, s):
        super().__init__()
        self.d0, self.d1 = (torch.device(d) for d in s.devices)
        self.embed = nn.Embedding(s.vocab, s.dim).to(self.d0)
        self.attention = nn.MultiheadAttention(s.dim, 2, batch_first=True).to(self.d0)
        self.ff = nn.Sequential(nn.LayerNorm(s.dim), nn.Linear(s.dim, 4 * s.dim), nn.GELU(), nn.Linear(4 * s.dim, s.dim))
        self.ff.to(self.d1)
        self.out = nn.Linear(s.dim, s.vocab).to(self.d1)

    def forward(self, tokens):
        h = self.embed(tokens.to(self.d0))
        size = tokens.size(1)
        mask = torch.triu(torch.ones(size, size, dtype=torch.bool, device=self.d0), diagonal=1)
        attended, _ = self.attention(h, h, h, attn_mask=mask, need_weights=False)
        h = (h + attended).to(self.d1)
        return self.out(h + self.ff(h))


class Callback:
    def before_step(self, trainer):
        pass

    def after_step(self, trainer, loss):
        pass


class ClipGradients(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def before_step(self, trainer):
        trainer.scaler.unscale_(trainer.optimizer)  # raises
        nn.utils.clip_grad_norm_(trainer.model.parameters(), self.max_norm)


class LossHistory(Callback):
    def __init__(self):
        self.values = []

    def after_step(self, trainer, loss):
        self.values.append(loss)


class Trainer:
    def __init__(self, settings, callbacks):
        self.settings = settings
        self.callbacks = callbacks
        self.model = TinyLanguageModel(settings)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=8)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=256.0)
        self.grad_norms = []

    def log_gradient_norm(self):
        self.scaler.unscale_(self.optimizer)
        norms = [p.grad.norm().cpu() for p in self.model.parameters() if p.grad is not None]
        self.grad_norms.append(torch.stack(norms).norm().item())

    def training_step(self, batch):
        inputs, targets = batch[:, :-1], batch[:, 1:].to(self.model.d1)
        with torch.autocast("cuda", dtype=torch.float16):
            logits = self.model(inputs)
        loss = nn.functional.cross_entropy(logits.float().flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.log_gradient_norm()
        for callback in self.callbacks:
            callback.before_step(self)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()
        for callback in self.callbacks:
            callback.after_step(self, loss.item())

    def fit(self, loader):
        for epoch in range(self.settings.epochs):
            for index, (batch,) in enumerate(loader):
                if index == self.settings.steps_per_epoch:
                    break
                self.training_step(batch)
            print(f"epoch {epoch}: mean gradient norm {sum(self.grad_norms) / len(self.grad_norms):.3f}")


def main():
    settings = Settings()
    gen = torch.Generator().manual_seed(0)
    tokens = torch.randint(0, settings.vocab, (32, settings.length + 1), generator=gen)
    history = LossHistory()
    torch.manual_seed(0)
    trainer = Trainer(settings, [ClipGradients(settings.max_norm), history])
    trainer.fit(DataLoader(TensorDataset(tokens), batch_size=8))
    print(history.values)


if __name__ == "__main__":
    main()
