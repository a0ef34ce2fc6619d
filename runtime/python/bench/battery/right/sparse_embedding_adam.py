# skip-gram with sparse embedding gradients, SparseAdam for the tables and SGD for the rest
# runs
import torch
import torch.nn as nn
import torch.nn.functional as F


class SkipGram(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.inp = nn.Embedding(vocab, dim, sparse=True)
        self.out = nn.EmbeddingBag(vocab, dim, sparse=True, mode="mean")
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, centre, bags, offsets):
        return (self.inp(centre) * self.out(bags, offsets)).sum(-1) * self.scale


def train(dev):
    torch.manual_seed(0)
    m = SkipGram(50, 8).to(dev)
    sparse = torch.optim.SparseAdam([m.inp.weight, m.out.weight], lr=0.05)
    dense = torch.optim.SGD([m.scale], lr=0.1)
    g = torch.Generator().manual_seed(1)
    start = m.inp.weight.detach().clone()
    touched = set()
    losses = []
    for _ in range(4):
        centre = torch.randint(0, 25, (6,), generator=g)
        bags = torch.randint(0, 50, (18,), generator=g)
        offsets = torch.arange(0, 18, 3)
        y = torch.randint(0, 2, (6,), generator=g).float()
        touched |= set(centre.tolist())
        sparse.zero_grad()
        dense.zero_grad()
        loss = F.binary_cross_entropy_with_logits(m(centre.to(dev), bags.to(dev), offsets.to(dev)), y.to(dev))
        loss.backward()
        assert m.inp.weight.grad.is_sparse and m.inp.weight.grad.device == torch.device(dev)
        sparse.step()
        dense.step()
        losses.append(loss.item())
    moved = (m.inp.weight.detach() != start).any(1).nonzero().flatten().tolist()
    assert set(moved) <= touched
    return m, losses, sparse


m, losses, opt = train("cuda:0")
ref, rlosses, _ = train("cpu")
assert all(abs(a - b) < 1e-3 for a, b in zip(losses, rlosses))
for p, q in zip(m.parameters(), ref.parameters()):
    assert torch.allclose(p.detach().cpu(), q, atol=2e-3)
assert opt.state[m.inp.weight]["exp_avg"].device == torch.device("cuda:0")
assert opt.state[m.inp.weight]["exp_avg"].shape == (50, 8)
