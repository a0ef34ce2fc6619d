# Mixed precision training with GradScaler: dtypes under autocast, growth of the scale and skipping of overflowing steps.
# runs
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 24)
        self.fc2 = nn.Linear(24, 4)
        self.seen = {}

    def forward(self, x):
        h = self.fc1(x)
        self.seen["linear"] = h.dtype
        out = self.fc2(torch.relu(h))
        self.seen["softmax"] = out.softmax(-1).dtype
        self.seen["exp"] = h.exp().dtype
        self.seen["mixed_add"] = (h + x.new_zeros(1)).dtype
        with torch.autocast("cuda", enabled=False):
            self.seen["disabled"] = self.fc2(torch.relu(h.float())).dtype
        return out


class AmpTrainer:
    def __init__(self, model, accumulate=2):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=1024.0, growth_interval=2)
        self.accumulate = accumulate

    def step(self, batches, poison=False):
        self.optimizer.zero_grad(set_to_none=True)
        for x, y in batches:
            with torch.autocast(device_type="cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(self.model(x), y) / self.accumulate
            assert loss.dtype == torch.float32
            self.scaler.scale(loss).backward()
        if poison:
            self.model.fc2.bias.grad[0] = float("inf")
        self.scaler.unscale_(self.optimizer)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        before = self.model.fc1.weight.detach().clone()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item() * self.accumulate, norm, not torch.equal(before, self.model.fc1.weight)


def main():
    torch.manual_seed(0)
    trainer = AmpTrainer(Net())
    x = torch.randn(32, 12, device="cuda")
    y = x[:, :4].argmax(1)
    batches = list(zip(x.split(16), y.split(16)))

    first, norm, moved = trainer.step(batches)
    assert moved and norm.isfinite()
    assert trainer.model.seen == {
        "linear": torch.float16,
        "softmax": torch.float32,
        "exp": torch.float32,
        "mixed_add": torch.float32,
        "disabled": torch.float32,
    }, trainer.model.seen
    assert trainer.model.fc1.weight.dtype == trainer.model.fc1.weight.grad.dtype == torch.float32
    assert trainer.scaler.get_scale() == 1024.0
    trainer.step(batches)
    assert trainer.scaler.get_scale() == 2048.0  # two good steps

    _, norm, moved = trainer.step(batches, poison=True)
    assert not moved and not norm.isfinite()
    assert trainer.scaler.get_scale() == 1024.0

    for _ in range(20):
        last, _, _ = trainer.step(batches)
    assert last < first
    state = trainer.scaler.state_dict()
    other = torch.amp.GradScaler("cuda")
    other.load_state_dict(state)
    assert other.get_scale() == trainer.scaler.get_scale()

    assert not torch.is_autocast_enabled("cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert torch.is_autocast_enabled("cuda") and torch.get_autocast_dtype("cuda") is torch.bfloat16
        assert (x @ x.t()).dtype == torch.bfloat16
        assert (x.cpu() @ x.cpu().t()).dtype == torch.float32
    print(first, "->", last)


if __name__ == "__main__":
    main()
