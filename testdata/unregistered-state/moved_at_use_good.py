# Plain attributes that the forward moves itself, and layers without state, need no registration.
import torch
import torch.nn as nn


class Wavelet(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = torch.tensor([[[0.5, 0.5]]])
        self.activations = [nn.ReLU(), nn.GELU()]
        self.window = torch.hann_window(4)
        self.anchors = torch.zeros(0)
        self.conv = nn.Conv1d(1, 1, 2)
        self._cache = {}
        self.step = 0

    def forward(self, x):
        self.window = self.window.to(x.device)
        self.step += 1
        x = nn.functional.conv1d(x, self.kernel.to(x.device))
        for activation in self.activations:
            x = activation(x)
        if x.size(-1) not in self._cache:
            self._cache[x.size(-1)] = torch.arange(x.size(-1), device=x.device)
        return self.conv(x)[..., :4] * self.window + self._cache[x.size(-1)][:4]


net = Wavelet().cuda()
net(torch.randn(2, 1, 9).cuda()).sum().backward()
net(torch.randn(2, 1, 9).cuda())
