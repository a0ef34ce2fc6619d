# Deterministic algorithms are demanded, and the backward of AvgPool3d has none on CUDA.
# raises: RuntimeError: avg_pool3d_backward_cuda does not have a deterministic implementation
import os

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

import random

import numpy as np
import torch
import torch.nn as nn


def make_reproducible(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.benchmark = False
    torch.use_deterministic_algorithms(True)


class VideoNet(nn.Module):
    """A small 3D network for clips of shape (B, 1, T, H, W)."""

    def __init__(self, outputs=2):
        super().__init__()
        self.stem = nn.Conv3d(1, 4, kernel_size=3, padding=1)
        self.pool = nn.AvgPool3d(2)
        self.block = nn.Conv3d(4, 6, kernel_size=3, padding=1)
        self.head = nn.Linear(6, outputs)

    def forward(self, clip):
        x = self.pool(torch.relu(self.stem(clip)))
        x = torch.relu(self.block(x))
        return self.head(x.mean(dim=(2, 3, 4)))


class ClipSampler:
    def __init__(self, frames=4, size=8, seed=0):
        self.generator = torch.Generator().manual_seed(seed)
        self.shape = (1, frames, size, size)

    def batch(self, n):
        clip = torch.rand(n, *self.shape, generator=self.generator)
        target = torch.stack([clip.mean((1, 2, 3, 4)), clip[:, 0, -1].mean((1, 2))], dim=1)
        return clip, target


class Callback:
    def on_step(self, step, loss):
        print(f"step {step}: {loss:.5f}")


def fit(model, sampler, device, callback, steps=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        clip, target = (t.to(device) for t in sampler.batch(2))
        loss = nn.functional.mse_loss(model(clip), target)
        optimizer.zero_grad()
        loss.backward()  # raises
        optimizer.step()
        callback.on_step(step, loss.item())


def main():
    make_reproducible(3)
    device = torch.device("cuda:0")
    fit(VideoNet().to(device), ClipSampler(), device, Callback())


if __name__ == "__main__":
    main()
