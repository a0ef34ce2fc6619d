# Two graph convolutions over a sparse adjacency matrix, forward and backward, against a dense CPU run.
# runs
import torch
from torch import nn


def normalised_adjacency(edges, n):
    edges = torch.cat([edges, edges.flip(0), torch.arange(n).repeat(2, 1)], dim=1)
    edges = torch.unique(edges, dim=1)
    degree = torch.bincount(edges[0], minlength=n).float()
    weight = (degree[edges[0]] * degree[edges[1]]).rsqrt()
    return torch.sparse_coo_tensor(edges, weight, (n, n)).coalesce()


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Linear(6, 8)
        self.w2 = nn.Linear(8, 3)

    def forward(self, adjacency, x):
        x = torch.relu(torch.sparse.mm(adjacency, self.w1(x)))
        return torch.sparse.mm(adjacency, self.w2(x))


torch.manual_seed(0)
n = 15
edges = torch.randint(0, n, (2, 30))
adjacency = normalised_adjacency(edges, n)
x = torch.randn(n, 6)
model = GCN()
reference = torch.mm(adjacency.to_dense(), model.w2(torch.relu(torch.mm(adjacency.to_dense(), model.w1(x)))))
reference.square().sum().backward()
expected = [p.grad.clone() for p in model.parameters()]

model.zero_grad()
model.to("cuda:0")
moved = adjacency.to("cuda:0")
assert moved.is_sparse and moved.device == torch.device("cuda:0")
assert moved.indices().device.type == "cuda" and moved._nnz() == adjacency._nnz()
out = model(moved, x.to("cuda:0"))
out.square().sum().backward()
assert torch.allclose(out.detach().cpu(), reference.detach(), atol=1e-4)
for p, g in zip(model.parameters(), expected):
    assert p.grad.device == torch.device("cuda", 0)
    assert torch.allclose(p.grad.cpu(), g, atol=1e-3)
