# Only the second GPU is visible, but the program still calls it cuda:1.
# raises: AcceleratorError: CUDA error: invalid device ordinal
# environment: CUDA_VISIBLE_DEVICES=1
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, 16) for _ in range(3)])
        self.norm = nn.LayerNorm(16)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return self.norm(x)


assert torch.cuda.device_count() == 1
first = torch.zeros(4, device="cuda:0")
first += 1
encoder = Encoder()
encoder.to("cuda:1")  # raises
print(encoder(torch.randn(2, 16, device="cuda:1")).mean().item())
