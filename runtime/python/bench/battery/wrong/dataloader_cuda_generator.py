# The shuffling DataLoader is given a CUDA generator, but it draws its permutation on the CPU.
# raises: RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


def seed_everything(seed, device):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    return torch.Generator(device=device).manual_seed(seed)


class SineWindows(Dataset):
    """(history, next value) pairs from a noisy sine."""

    def __init__(self, length=120, history=8):
        t = np.arange(length, dtype=np.float32) * 0.2
        self.series = np.sin(t) + 0.01 * np.random.randn(length).astype(np.float32)
        self.series = self.series.astype(np.float32)
        self.history = history

    def __len__(self):
        return len(self.series) - self.history

    def __getitem__(self, i):
        past = torch.from_numpy(self.series[i : i + self.history])
        return past, torch.tensor(self.series[i + self.history])


class Forecaster(nn.Module):
    def __init__(self, history=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(history, 16), nn.GELU(), nn.Linear(16, 1))

    def forward(self, past):
        return self.net(past).squeeze(-1)


def fit(model, loader, device, epochs=2):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3)
    history = []
    for _ in range(epochs):
        running = 0.0
        for past, target in loader:  # raises
            past, target = past.to(device), target.to(device)
            loss = nn.functional.smooth_l1_loss(model(past), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        history.append(running / len(loader))
    return history


def main():
    device = torch.device("cuda", 0)
    generator = seed_everything(7, device)
    loader = DataLoader(SineWindows(), batch_size=16, shuffle=True, generator=generator)
    model = Forecaster().to(device)
    print(fit(model, loader, device))


if __name__ == "__main__":
    main()
