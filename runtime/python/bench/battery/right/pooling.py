# Max pooling with indices and unpooling, adaptive, average and Lp pooling against the CPU.
# runs
import torch
import torch.nn.functional as F
from torch import nn


class PoolingAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(2, return_indices=True)
        self.unpool = nn.MaxUnpool2d(2)

    def forward(self, x):
        pooled, where = self.pool(x)
        return self.unpool(pooled, where), where


torch.manual_seed(7)
x = torch.randn(2, 3, 8, 8)
model = PoolingAutoencoder()
restored, where = model.to("cuda:0")(x.to("cuda:0"))
expected, expected_where = model(x)
assert where.dtype == torch.int64 and where.device == torch.device("cuda:0")
assert torch.equal(where.cpu(), expected_where)
assert torch.equal(restored.cpu(), expected)
assert (restored != 0).sum().item() == 2 * 3 * 16

pools = {
    "avg": lambda t: F.avg_pool2d(t, 3, stride=2, padding=1, count_include_pad=False),
    "adaptive avg": lambda t: F.adaptive_avg_pool2d(t, (3, 5)),
    "adaptive max": lambda t: F.adaptive_max_pool2d(t, 3),
    "lp": lambda t: F.lp_pool2d(t.abs() + 0.1, 2.0, 2),
    "unfold": lambda t: F.unfold(t, 3, stride=2),
    "shuffle": lambda t: F.pixel_unshuffle(t, 2),
    "bilinear": lambda t: F.interpolate(t, scale_factor=2, mode="bilinear", align_corners=False),
}
for name, pool in pools.items():
    a = x.to("cuda:1").requires_grad_()
    b = x.clone().requires_grad_()
    out_a, out_b = pool(a), pool(b)
    assert out_a.shape == out_b.shape and out_a.get_device() == 1
    assert torch.allclose(out_a.detach().cpu(), out_b.detach(), atol=1e-4), name
    out_a.square().sum().backward()
    out_b.square().sum().backward()
    assert torch.allclose(a.grad.cpu(), b.grad, atol=1e-3), name
