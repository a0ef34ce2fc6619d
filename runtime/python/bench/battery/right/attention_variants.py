# Scaled dot product attention with causal, boolean and additive masks against explicit softmax attention.
# runs
import math

import torch
import torch.nn.functional as F


def explicit(q, k, v, bias=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if bias is not None:
        scores = scores + bias
    return scores.softmax(dim=-1) @ v


def to_bias(allowed, dtype):
    return torch.zeros(allowed.shape, dtype=dtype).masked_fill_(~allowed, float("-inf"))


torch.manual_seed(4)
q, k, v = (torch.randn(2, 3, 10, 8) for _ in range(3))
device = torch.device("cuda:1")
gq, gk, gv = (t.to(device).requires_grad_() for t in (q, k, v))
causal = torch.ones(10, 10, dtype=torch.bool).tril()
padding = torch.ones(2, 1, 1, 10, dtype=torch.bool)
padding[0, ..., 7:] = False
slopes = -torch.tensor([0.5, 0.25, 0.125]).view(1, 3, 1, 1)
alibi = slopes * (torch.arange(10).view(-1, 1) - torch.arange(10)).abs()

plain = F.scaled_dot_product_attention(gq, gk, gv)
assert torch.allclose(plain.detach().cpu(), explicit(q, k, v), atol=1e-3)
masked = F.scaled_dot_product_attention(gq, gk, gv, is_causal=True)
assert torch.allclose(masked.detach().cpu(), explicit(q, k, v, to_bias(causal, q.dtype)), atol=1e-3)
padded = F.scaled_dot_product_attention(gq, gk, gv, attn_mask=padding.to(device))
assert torch.allclose(padded.detach().cpu(), explicit(q, k, v, to_bias(padding, q.dtype)), atol=1e-3)
biased = F.scaled_dot_product_attention(gq, gk, gv, attn_mask=alibi.to(device))
assert torch.allclose(biased.detach().cpu(), explicit(q, k, v, alibi), atol=1e-3)

masked.square().mean().backward()
cq = q.clone().requires_grad_()
explicit(cq, k, v, to_bias(causal, q.dtype)).square().mean().backward()
assert gq.grad.device == device
assert torch.allclose(gq.grad.cpu(), cq.grad, atol=1e-3)
assert masked.shape == (2, 3, 10, 8)
