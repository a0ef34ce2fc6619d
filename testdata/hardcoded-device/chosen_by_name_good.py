# Networks that the user names, and that work on a GPU: each decides otherwise where its tensors are.
import os

import torch
import torch.nn as nn


class Kept(nn.Module):
    """Keeps its device, and works there wherever its user moves it."""

    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size)
        self.home = torch.device("cpu")

    def forward(self, x):
        return nn.functional.linear(x.to(self.home), torch.eye(4), torch.zeros(4))


class Noisy(nn.Module):
    """Its noise is drawn again once it was moved."""

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(size, size))
        self.draw()

    def draw(self):
        self.noise = torch.randn_like(self.weight)

    def forward(self, x):
        return x @ (self.weight + self.noise)


class Shared(nn.Module):
    """The parameters of a layer are its own."""

    def __init__(self, size):
        super().__init__()
        layer = nn.Linear(size, size)
        self.kernel, self.offset = layer.weight, layer.bias
        self.size = self.count()

    def count(self):
        return self.forward(torch.zeros(1, 4)).shape[1]

    def forward(self, x):
        device = self.kernel.get_device()
        if device < 0:
            device = None
        scale = torch.ones(4, device=device) * self.offset
        return nn.functional.linear(x, self.kernel, scale)


class Lazy(nn.Module):
    """Makes its mask where the input is."""

    def __init__(self, size, device="cpu"):
        super().__init__()
        self.layer = nn.Linear(size, size)
        self.mask = None
        self.start = torch.zeros(4, device=device)

    def prepare(self, device):
        self.start = self.start.to(device)

    def forward(self, x):
        if self.mask is None or self.mask.device != x.device:
            self.mask = torch.ones(4, device=x.device)
        return self.layer(x) * self.mask + self.start


class Blurred(nn.Module):
    """Prepares images, and stays on the CPU."""

    def __init__(self, size):
        super().__init__()
        self.blur = nn.Linear(size, size)

    def forward(self, image):
        return self.blur(torch.from_numpy(image))


for name in os.environ.get("NETWORKS", "Kept Noisy Shared Lazy").split():
    network = eval(name)(4).cuda()
    for method in ("draw", "prepare"):
        if hasattr(network, method):
            getattr(network, method)(*(["cuda"] if method == "prepare" else []))
    network(torch.rand(2, 4).cuda())
