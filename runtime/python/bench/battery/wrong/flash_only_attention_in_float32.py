# Attention is pinned to the flash backend while the inputs are float32.
# raises: RuntimeError: No available kernel
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {
    "flash": [SDPBackend.FLASH_ATTENTION],
    "math": [SDPBackend.MATH],
    "any": None,
}


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads, backend="any"):
        super().__init__()
        self.heads = heads
        self.backend = backend
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.proj = nn.Linear(width, width, bias=False)

    def _context(self):
        choice = BACKENDS[self.backend]
        return contextlib.nullcontext() if choice is None else sdpa_kernel(choice)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        with self._context():
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # raises
        return self.proj(y.transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, width, heads, backend):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = CausalSelfAttention(width, heads, backend)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab=32, width=32, heads=4, layers=2, backend="any"):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(Block(width, heads, backend) for _ in range(layers))
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def benchmark(backend, ids):
    torch.manual_seed(0)
    model = TinyGPT(backend=backend).to(ids.device)
    logits = model(ids)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).item()


if __name__ == "__main__":
    ids = torch.randint(0, 32, (2, 16), device="cuda")
    for name in ("any", "math", "flash"):
        print(name, benchmark(name, ids))
