# DQN on a toy chain world: policy on GPU 0, replay buffer on GPU 1, target network, Polyak averaging
# runs
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Replay:
    def __init__(self, size, dim, dev):
        self.dev, self.size, self.n = dev, size, 0
        self.s = torch.zeros(size, dim, device=dev)
        self.s2 = torch.zeros(size, dim, device=dev)
        self.a = torch.zeros(size, dtype=torch.long, device=dev)
        self.r = torch.zeros(size, device=dev)
        self.end = torch.zeros(size, dtype=torch.bool, device=dev)

    def push(self, s, a, r, s2, end):
        i = self.n % self.size
        self.s[i], self.s2[i], self.a[i], self.r[i], self.end[i] = s.to(self.dev), s2.to(self.dev), a, r, end
        self.n += 1

    def sample(self, k, gen, dev):
        idx = torch.randint(min(self.n, self.size), (k,), generator=gen).to(self.dev)
        return [t[idx].to(dev) for t in (self.s, self.a, self.r, self.s2, self.end)]


def onehot(i, dev):
    return F.one_hot(torch.tensor(i, device=dev), 6).float()


def train(dev, bdev):
    torch.manual_seed(0)
    rnd, gen = random.Random(0), torch.Generator().manual_seed(0)
    q = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 2)).to(dev)
    target = copy.deepcopy(q)
    opt = torch.optim.SGD(q.parameters(), lr=0.2)
    buf, pos, losses = Replay(40, 6, bdev), 0, []
    for t in range(60):
        action = rnd.randrange(2)
        nxt = max(0, min(5, pos + (1 if action else -1)))
        buf.push(onehot(pos, dev), action, float(nxt == 5), onehot(nxt, dev), nxt == 5)
        pos = 0 if nxt == 5 else nxt
        if t < 16:
            continue
        s, a, r, s2, end = buf.sample(16, gen, dev)
        with torch.no_grad():
            y = r + 0.9 * target(s2).max(1).values * (~end)
        loss = F.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for tp, p in zip(target.parameters(), q.parameters()):
                tp.mul_(0.95).add_(p, alpha=0.05)
        losses.append(loss.item())
    return q, buf, losses


q, buf, losses = train("cuda:0", "cuda:1")
rq, rbuf, rlosses = train("cpu", "cpu")
assert buf.s.device.index == 1 and buf.n == 60
assert torch.equal(buf.s.cpu(), rbuf.s) and torch.equal(buf.a.cpu(), rbuf.a)
assert all(abs(a - b) < 1e-3 for a, b in zip(losses, rlosses))
for p, r in zip(q.parameters(), rq.parameters()):
    assert p.device.index == 0 and torch.allclose(p.detach().cpu(), r, atol=2e-3)
