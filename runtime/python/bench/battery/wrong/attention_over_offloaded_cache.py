# Keys and values of earlier tokens are kept in host memory and attended to from a GPU query.
# raises: RuntimeError: Expected query, key, and value to have the same device type, but got query.device: cuda:0 key.device: cpu and value.device: cpu instead.
import torch
import torch.nn.functional as F
from torch import nn


class OffloadedCache:
    def __init__(self):
        self.keys, self.values = [], []

    def append(self, k, v):
        self.keys.append(k.cpu())
        self.values.append(v.cpu())

    def get(self):
        return torch.cat(self.keys, dim=2), torch.cat(self.values, dim=2)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x, cache):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        cache.append(k, v)
        k, v = cache.get()
        out = F.scaled_dot_product_attention(q, k, v)  # raises
        return out.transpose(1, 2).reshape(b, t, d)


attention = Attention(16, 4).to("cuda:0")
cache = OffloadedCache()
with torch.no_grad():
    for token in torch.randn(5, 2, 1, 16, device="cuda:0"):
        print(attention(token, cache).norm().item())
