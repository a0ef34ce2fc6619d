# The checkpoint is loaded with map_location="cuda:0", so the saved CPU RNG state lands on the GPU.
# raises: TypeError: RNG state must be a torch.ByteTensor
import os
import tempfile

import torch
import torch.nn as nn


class Checkpointer:
    """Keeps everything needed to continue a run bit for bit."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "last.pt")

    def save(self, epoch, model, optimizer):
        torch.save(
            {
                "epoch": epoch,
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "rng": {"torch": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all()},
            },
            self.path,
        )

    def load(self, model, optimizer, device):
        payload = torch.load(self.path, map_location=device)
        model.load_state_dict(payload["model"])
        optimizer.load_state_dict(payload["optimizer"])
        self._restore_rng(payload["rng"])
        return payload["epoch"] + 1

    @staticmethod
    def _restore_rng(rng):
        torch.set_rng_state(rng["torch"])  # raises
        torch.cuda.set_rng_state_all(rng["cuda"])


def build(device):
    model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Dropout(0.2), nn.Linear(16, 1)).to(device)
    return model, torch.optim.Adam(model.parameters(), lr=1e-2)


def run_epoch(model, optimizer, device):
    model.train()
    total = 0.0
    for _ in range(4):
        x = torch.randn(16, 6)
        y = x.sum(1, keepdim=True)
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / 4


def main():
    device = torch.device("cuda:0")
    torch.manual_seed(1234)
    with tempfile.TemporaryDirectory() as folder:
        keeper = Checkpointer(folder)
        model, optimizer = build(device)
        for epoch in range(2):
            print("epoch", epoch, run_epoch(model, optimizer, device))
            keeper.save(epoch, model, optimizer)

        model, optimizer = build(device)
        start = keeper.load(model, optimizer, device)
        for epoch in range(start, start + 2):
            print("epoch", epoch, run_epoch(model, optimizer, device))


if __name__ == "__main__":
    main()
