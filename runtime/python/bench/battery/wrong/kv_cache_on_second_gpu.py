# The key/value cache of the decoder is allocated on cuda:1 while the layer and its queries are on cuda:0.
# raises: RuntimeError: Expected query, key, and value to have the same device type
import torch
import torch.nn as nn
import torch.nn.functional as F


class KVCache:
    def __init__(self, batch, heads, max_len, dim, device):
        shape = (batch, heads, max_len, dim)
        self.k = torch.zeros(shape, device=device)
        self.v = torch.zeros(shape, device=device)
        self.filled = 0

    def append(self, k, v):
        end = self.filled + k.size(2)
        self.k[:, :, self.filled : end] = k
        self.v[:, :, self.filled : end] = v
        self.filled = end
        return self.k[:, :, :end], self.v[:, :, :end]


class CachedAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.dim = heads, width // heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, cache):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (z.view(b, t, self.heads, self.dim).transpose(1, 2) for z in (q, k, v))
        k, v = cache.append(k, v)
        y = F.scaled_dot_product_attention(q, k, v)  # raises
        return self.out(y.transpose(1, 2).reshape(b, t, c))


class Decoder(nn.Module):
    def __init__(self, vocab=20, width=16, heads=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.attn = CachedAttention(width, heads)
        self.head = nn.Linear(width, vocab)

    def new_cache(self, batch, max_len, device):
        return KVCache(batch, self.attn.heads, max_len, self.attn.dim, device)

    def forward(self, ids, cache):
        return self.head(self.attn(self.embed(ids), cache))


@torch.inference_mode()
def generate(model, prompt, steps, cache_device):
    cache = model.new_cache(len(prompt), prompt.size(1) + steps, cache_device)
    ids, out = prompt, [prompt]
    for _ in range(steps):
        logits = model(ids, cache)
        ids = logits[:, -1:].argmax(-1)
        out.append(ids)
    return torch.cat(out, dim=1)


def main():
    torch.manual_seed(0)
    model = Decoder().to("cuda:0").eval()
    prompt = torch.tensor([[1, 5, 2], [7, 3, 3]], device="cuda:0")
    devices = [torch.device("cuda", i) for i in range(torch.cuda.device_count())]
    # spare memory is on the last card
    print(generate(model, prompt, 4, cache_device=devices[-1]).cpu())


if __name__ == "__main__":
    main()
