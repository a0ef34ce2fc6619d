# A small U-Net with transposed convolutions and skips takes the same training step on GPU and CPU.
# runs
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.SiLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = Block(1, 4), Block(4, 8)
        self.middle = Block(8, 8)
        self.up2 = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.out2 = Block(8, 4)
        self.head = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.up2(self.middle(b))
        return self.head(self.out2(torch.cat([a, c], dim=1)))


def step(model, x, mask, device):
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = F.binary_cross_entropy_with_logits(model(x.to(device)), mask.to(device))
    loss.backward()
    optimizer.step()
    return loss.item()


torch.manual_seed(5)
model = UNet().double()
twin = copy.deepcopy(model)
x = torch.randn(2, 1, 12, 12, dtype=torch.float64)
mask = (x > 0.5).double()
loss_gpu = step(model, x, mask, "cuda:0")
loss_cpu = step(twin, x, mask, "cpu")
assert abs(loss_gpu - loss_cpu) < 1e-8
for (name, p), q in zip(model.named_parameters(), twin.parameters()):
    assert p.device == torch.device("cuda:0") and q.device.type == "cpu"
    assert torch.allclose(p.cpu(), q, atol=1e-8), name
