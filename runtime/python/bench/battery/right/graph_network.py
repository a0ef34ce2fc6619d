# message passing with index_add_, scatter_reduce and a segment softmax
# runs
import torch
import torch.nn as nn


class GAT(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.att = nn.Parameter(torch.randn(2 * d_out) * 0.3)

    def forward(self, x, edges):
        src, dst = edges
        n = x.size(0)
        h = self.lin(x)
        e = nn.functional.leaky_relu(torch.cat([h[src], h[dst]], 1) @ self.att, 0.2)
        top = torch.full((n,), float("-inf"), device=x.device).scatter_reduce(0, dst, e.detach(), "amax")
        w = (e - top[dst]).exp()
        norm = torch.zeros(n, device=x.device).index_add_(0, dst, w)
        w = w / norm[dst]
        return torch.zeros_like(h).index_add_(0, dst, h[src] * w[:, None])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = GAT(6, 16), GAT(16, 16)
        self.out = nn.Linear(16, 3)

    def forward(self, x, edges, graph):
        x = torch.relu(self.a(x, edges))
        x = torch.relu(self.b(x, edges))
        k = int(graph.max()) + 1
        count = torch.bincount(graph, minlength=k).clamp(min=1)
        pooled = torch.zeros(k, x.size(1), device=x.device).index_add_(0, graph, x) / count[:, None]
        return self.out(pooled)


def run(dev):
    torch.manual_seed(0)
    net = Net().to(dev)
    x = torch.randn(30, 6).to(dev)
    graph = torch.arange(30) // 10
    src = torch.randint(0, 10, (90,)) + torch.arange(90) // 30 * 10
    dst = torch.randint(0, 10, (90,)) + torch.arange(90) // 30 * 10
    loops = torch.arange(30)
    edges = torch.stack([torch.cat([src, loops]), torch.cat([dst, loops])]).to(dev)
    out = net(x, edges, graph.to(dev))
    loss = nn.functional.cross_entropy(out, torch.tensor([0, 1, 2], device=dev))
    loss.backward()
    return out, [p.grad for p in net.parameters()]


want, wgrads = run("cpu")
got, grads = run("cuda:1")
assert got.device == torch.device("cuda:1") and got.shape == (3, 3)
assert torch.allclose(got.detach().cpu(), want, atol=1e-3)
for a, b in zip(grads, wgrads):
    assert a.device.index == 1 and torch.allclose(a.cpu(), b, atol=1e-3)
