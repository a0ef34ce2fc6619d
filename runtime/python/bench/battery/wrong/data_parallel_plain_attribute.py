# a tensor kept as a plain attribute, not as a buffer, stays on GPU 0 in the replica on GPU 1
# raises: RuntimeError: Caught RuntimeError in replica 1 on device 1. ... Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!
import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, length, d, device):
        super().__init__()
        pos = torch.arange(length, device=device)[:, None].float()
        freq = torch.exp(-torch.arange(0, d, 2, device=device).float() / d)
        self.table = torch.cat([(pos * freq).sin(), (pos * freq).cos()], 1)
        self.out = nn.Linear(d, d)

    def forward(self, x):
        x = x + self.table[: x.size(1)]  # raises
        return self.out(x)


dev = torch.device("cuda:0")
model = PositionalEncoding(50, 8, dev).to(dev)
x = torch.randn(6, 20, 8, device=dev)
assert model(x).shape == (6, 20, 8)  # fine on one GPU
parallel = nn.DataParallel(model)
y = parallel(x)  # raises
print(y.shape)
