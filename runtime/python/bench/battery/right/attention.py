# scaled_dot_product_attention with a causal mask, forward and backward.
# runs
import torch
import torch.nn.functional as F

q, k, v = (torch.randn(2, 4, 6, 8, device="cuda", requires_grad=True) for _ in range(3))
F.scaled_dot_product_attention(q, k, v, is_causal=True).sum().backward()
bias = torch.zeros(6, 6, device="cuda")
F.scaled_dot_product_attention(q, k, v, attn_mask=bias).sum().backward()
assert q.grad.is_cuda
