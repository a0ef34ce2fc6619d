# Temperature, top-k and nucleus sampling on the GPU only ever choose tokens that the filters allow.
# runs
import torch


def filter_logits(logits, temperature=1.0, top_k=0, top_p=1.0):
    logits = logits / temperature
    if top_k:
        kth = logits.topk(top_k, dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < kth, float("-inf"))
    if top_p < 1.0:
        ordered, order = logits.sort(dim=-1, descending=True)
        cumulative = ordered.softmax(dim=-1).cumsum(dim=-1)
        remove = cumulative - ordered.softmax(dim=-1) >= top_p
        mask = torch.zeros_like(remove).scatter(-1, order, remove)
        logits = logits.masked_fill(mask, float("-inf"))
    return logits


@torch.inference_mode()
def sample(table, start, length, generator, **how):
    tokens = start.unsqueeze(1)
    for _ in range(length):
        logits = filter_logits(table[tokens[:, -1]], **how)
        probabilities = logits.softmax(dim=-1)
        tokens = torch.cat([tokens, torch.multinomial(probabilities, 1, generator=generator)], dim=1)
    return tokens


torch.manual_seed(36)
device = torch.device("cuda:1")
table = torch.randn(12, 12, dtype=torch.float64) * 2
start = torch.randint(0, 12, (64,))
on_gpu, start_gpu = table.to(device), start.to(device)
generator = torch.Generator(device).manual_seed(1)
for how in ({"top_k": 3}, {"top_p": 0.7}, {"temperature": 0.5, "top_k": 5, "top_p": 0.9}):
    allowed = filter_logits(table, **how).isfinite()
    assert torch.equal(filter_logits(on_gpu, **how).isfinite().cpu(), allowed)
    tokens = sample(on_gpu, start_gpu, 10, generator, **how)
    assert tokens.shape == (64, 11) and tokens.device == device and tokens.dtype == torch.int64
    host = tokens.cpu()
    assert allowed[host[:, :-1], host[:, 1:]].all()
    generator.manual_seed(5)
    a = sample(on_gpu, start_gpu, 10, generator, **how)
    generator.manual_seed(5)
    assert torch.equal(a, sample(on_gpu, start_gpu, 10, generator, **how))

greedy = sample(on_gpu, start_gpu, 6, None, top_k=1).cpu()
row = start
for i in range(6):
    row = table[row].argmax(dim=1)
    assert torch.equal(greedy[:, i + 1], row)
weights = torch.tensor([0.1, 0.2, 0.7], device=device)
counts = torch.multinomial(weights, 20000, replacement=True).bincount(minlength=3) / 20000
assert (counts - weights).abs().max().item() < 0.03
distinct = torch.multinomial(torch.ones(50, device=device), 50)
assert torch.equal(distinct.sort().values.cpu(), torch.arange(50))
gumbel = torch.nn.functional.gumbel_softmax(on_gpu, hard=True)
assert torch.equal(gumbel.sum(dim=1).round().cpu(), torch.ones(12, dtype=torch.float64))
