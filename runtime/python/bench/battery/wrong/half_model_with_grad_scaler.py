# The whole model was cast with .half(), and GradScaler refuses to unscale FP16 gradients.
# raises: ValueError: Attempting to unscale FP16 gradients
import torch
import torch.nn as nn


class ResidualMLP(nn.Module):
    def __init__(self, width=32, depth=2):
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU())
            for _ in range(depth)
        )
        self.out = nn.Linear(width, 4)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.out(x)


class MixedPrecisionTrainer:
    def __init__(self, model, lr, max_norm=1.0, device="cuda"):
        self.device = torch.device(device)
        self.model = model.to(self.device).half()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=2.0**8)
        self.max_norm = max_norm
        self.step_count = 0

    def training_step(self, batch):
        x, y = (t.to(self.device) for t in batch)
        with torch.autocast("cuda", dtype=torch.float16):
            logits = self.model(x.half())
            loss = nn.functional.cross_entropy(logits.float(), y)
        return loss

    def optimise(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)  # raises
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.step_count += 1
        return norm

    def fit(self, batches):
        log = []
        for batch in batches:
            loss = self.training_step(batch)
            norm = self.optimise(loss)
            log.append((loss.item(), norm.item()))
        return log


def make_batches(n, generator):
    for _ in range(n):
        x = torch.randn(16, 32, generator=generator)
        yield x, x[:, :4].argmax(1)


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = MixedPrecisionTrainer(ResidualMLP(), lr=0.01)
    for row in trainer.fit(make_batches(4, torch.Generator().manual_seed(1))):
        print("loss %.4f grad norm %.4f" % row)
