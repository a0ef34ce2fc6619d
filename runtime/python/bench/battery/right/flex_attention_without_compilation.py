# flex_attention on the GPU without torch.compile: score and mask modifiers, block masks, against dense references.
# runs
import math
import warnings

import torch
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, create_mask
from torch.nn.attention.flex_attention import flex_attention as uncompiled

warnings.filterwarnings("ignore", message=".*without torch.compile.*")


def flex_attention(*args, **kwargs):
    try:
        return uncompiled(*args, **kwargs)
    finally:
        torch._dynamo.reset()  # every call has other modifiers


def dense(q, k, v, bias=None, keep=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if bias is not None:
        scores = scores + bias
    if keep is not None:
        scores = scores.masked_fill(~keep, float("-inf"))
    return scores.softmax(-1) @ v


def causal(b, h, q, kv):
    return q >= kv


def sliding(window):
    def mask(b, h, q, kv):
        return (q - kv).abs() <= window

    return mask


def documents(ids):
    """Attention stays inside a packed document."""

    def mask(b, h, q, kv):
        return (ids[q] == ids[kv]) & (q >= kv)

    return mask


class Alibi:
    def __init__(self, heads, device):
        self.slopes = torch.exp2(-(torch.arange(heads, device=device) + 1.0) * 8.0 / heads)

    def score_mod(self):
        slopes = self.slopes

        def score(score, b, h, q, kv):
            return score - slopes[h] * (q - kv).abs()

        return score

    def dense_bias(self, n):
        i = torch.arange(n, device=self.slopes.device)
        return -self.slopes[:, None, None] * (i[:, None] - i[None]).abs()


@torch.no_grad()
def main():
    torch.manual_seed(0)
    heads, n, dim = 2, 64, 16
    device = torch.device("cuda:0")
    q, k, v = (torch.randn(1, heads, n, dim, device=device) for _ in range(3))

    plain = flex_attention(q, k, v)
    assert plain.device == device and plain.shape == q.shape
    torch.testing.assert_close(plain, dense(q, k, v), rtol=1e-3, atol=1e-4)

    alibi = Alibi(heads, device)
    out = flex_attention(q, k, v, score_mod=alibi.score_mod())
    torch.testing.assert_close(out, dense(q, k, v, bias=alibi.dense_bias(n)), rtol=1e-3, atol=1e-4)

    ids = torch.repeat_interleave(torch.arange(3, device=device), torch.tensor([20, 30, 14], device=device))
    for name, mod in {"causal": causal, "sliding": sliding(5), "documents": documents(ids)}.items():
        block = create_block_mask(mod, None, None, n, n, device=device, BLOCK_SIZE=16)
        assert isinstance(block, BlockMask) and block.kv_num_blocks.device == device
        keep = create_mask(mod, 1, 1, n, n, device=device)
        assert keep.dtype == torch.bool and keep.shape == (1, 1, n, n)
        out = flex_attention(q, k, v, block_mask=block)
        torch.testing.assert_close(out, dense(q, k, v, keep=keep), rtol=1e-3, atol=1e-4)
        print(f"{name}: sparsity {block.sparsity():.1f}%")

    block = create_block_mask(causal, None, None, n, n, device=device, BLOCK_SIZE=16)
    assert block.sparsity() == 37.5  # 6 of 16 blocks are empty
    assert block.to_dense()[0, 0].cpu().tolist() == torch.ones(4, 4).tril().int().tolist()
    reference = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(flex_attention(q, k, v, block_mask=block), reference, rtol=1e-2, atol=5e-3)
    moved = block.to("cuda:1")
    assert moved.kv_num_blocks.device == torch.device("cuda:1")

    scaled = flex_attention(q, k, v, scale=0.5)
    torch.testing.assert_close(scaled, dense(q * 0.5 * math.sqrt(dim), k, v), rtol=1e-3, atol=1e-4)
    grouped = flex_attention(q, k[:, :1], v[:, :1], enable_gqa=True)
    torch.testing.assert_close(grouped, dense(q, k[:, :1], v[:, :1]), rtol=1e-3, atol=1e-4)


main()
