# beam search over a small language model, the same beams as on the CPU
# runs
import torch
import torch.nn as nn


class LM(nn.Module):
    def __init__(self, vocab=20, d=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.cell = nn.LSTMCell(d, d)
        self.head = nn.Linear(d, vocab)

    def step(self, tok, state):
        h, c = self.cell(self.emb(tok), state)
        return torch.log_softmax(3 * self.head(h), -1), (h, c)


@torch.no_grad()
def beam_search(model, bos, eos, beam, steps, dev):
    d = model.emb.embedding_dim
    tokens = torch.full((1, 1), bos, dtype=torch.long, device=dev)
    scores = torch.zeros(1, device=dev)
    state = (torch.zeros(1, d, device=dev), torch.zeros(1, d, device=dev))
    done = []
    for _ in range(steps):
        logp, state = model.step(tokens[:, -1], state)
        total = scores[:, None] + logp
        top, idx = total.flatten().topk(min(beam, total.numel()))
        parent, tok = idx // logp.size(1), idx % logp.size(1)
        tokens = torch.cat([tokens[parent], tok[:, None]], 1)
        state = tuple(s.index_select(0, parent) for s in state)
        finished = tok == eos
        for i in finished.nonzero().flatten().tolist():
            done.append((top[i].item() / tokens.size(1), tokens[i].cpu().tolist()))
        keep = ~finished
        if not keep.any():
            break
        tokens, scores, state = tokens[keep], top[keep], tuple(s[keep] for s in state)
    for s, t in zip(scores.tolist(), tokens.tolist()):
        done.append((s / len(t), t))
    return sorted(done, reverse=True)


torch.manual_seed(11)
model = LM()
want = beam_search(model, 1, 2, 4, 8, "cpu")
for dev in ("cuda:0", "cuda:1"):
    got = beam_search(model.to(dev), 1, 2, 4, 8, torch.device(dev))
    assert len(got) == len(want)
    for (s, t), (r, u) in zip(got, want):
        assert abs(s - r) < 1e-3
    assert got[0][1] == want[0][1]
