# A cached key stays on the CPU.
# raises: RuntimeError: Expected query, key, and value to have the same device type, but got query.device: cuda:0 key.device: cpu
import torch
import torch.nn.functional as F

query = torch.randn(1, 2, 5, 8, device="cuda")
cache = torch.randn(1, 2, 5, 8)
F.scaled_dot_product_attention(query, cache, query)  # raises
