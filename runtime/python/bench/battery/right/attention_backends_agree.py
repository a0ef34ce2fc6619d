# scaled_dot_product_attention through its backends, nn.MultiheadAttention and the encoder fast path.
# runs
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel


def reference(q, k, v, mask=None, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if causal:
        keep = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v


def run(backends, q, k, v, **kw):
    leaves = [t.detach().clone().requires_grad_() for t in (q, k, v)]
    with sdpa_kernel(backends):
        out = F.scaled_dot_product_attention(*leaves, **kw)
    out.float().square().sum().backward()
    return out.detach(), [t.grad for t in leaves]


def main():
    torch.manual_seed(0)
    for device in ("cuda:0", "cuda:1"):
        q, k, v = (torch.randn(2, 4, 16, 32, device=device) for _ in range(3))
        expected = reference(q, k, v)
        out, grads = run(SDPBackend.MATH, q, k, v)
        assert out.device == torch.device(device) and all(g.device == out.device for g in grads)
        torch.testing.assert_close(out, expected, rtol=1e-3, atol=1e-4)
        efficient, egrads = run([SDPBackend.EFFICIENT_ATTENTION], q, k, v)
        torch.testing.assert_close(efficient, expected, rtol=1e-2, atol=5e-3)
        for a, b in zip(egrads, grads):
            torch.testing.assert_close(a, b, rtol=2e-2, atol=2e-2)
        causal, _ = run(SDPBackend.MATH, q, k, v, is_causal=True)
        torch.testing.assert_close(causal, reference(q, k, v, causal=True), rtol=1e-3, atol=1e-4)
        mask = torch.rand(16, 16, device=device) > 0.3
        mask[:, 0] = True
        masked, _ = run(SDPBackend.MATH, q, k, v, attn_mask=mask)
        torch.testing.assert_close(masked, reference(q, k, v, mask=mask), rtol=1e-3, atol=1e-4)

        if torch.cuda.get_device_capability(device) >= (8, 0):
            half = [t.half() for t in (q, k, v)]
            flash, _ = run(SDPBackend.FLASH_ATTENTION, *half, is_causal=True)
            assert flash.dtype == torch.float16
            torch.testing.assert_close(flash.float(), causal, rtol=2e-2, atol=2e-2)

    assert torch.backends.cuda.math_sdp_enabled()
    with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION]):
        assert not torch.backends.cuda.math_sdp_enabled()
        assert torch.backends.cuda.mem_efficient_sdp_enabled()
    assert torch.backends.cuda.math_sdp_enabled()

    mha = nn.MultiheadAttention(16, 4, batch_first=True)
    x = torch.randn(3, 5, 16)
    pad = torch.arange(5) >= torch.tensor([5, 3, 4]).unsqueeze(1)
    want, weights = mha(x, x, x, key_padding_mask=pad)
    mha.cuda()
    got, gpu_weights = mha(x.cuda(), x.cuda(), x.cuda(), key_padding_mask=pad.cuda())
    torch.testing.assert_close(got.cpu(), want, rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(gpu_weights.cpu(), weights, rtol=1e-3, atol=1e-4)
    assert gpu_weights[1, :, 3:].abs().max() == 0

    layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).cuda(1)
    y = x.cuda(1)
    slow = encoder(y, src_key_padding_mask=pad.cuda(1))
    encoder.eval()
    with torch.no_grad():
        fast = encoder(y, src_key_padding_mask=pad.cuda(1))
    keep = ~pad.cuda(1)
    torch.testing.assert_close(fast[keep], slow[keep].detach(), rtol=1e-2, atol=1e-3)
    print("attention agrees", fast.norm().item())


main()
