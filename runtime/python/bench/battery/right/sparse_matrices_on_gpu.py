# Sparse COO, CSR and hybrid tensors on the GPU: products, gradients, conversions, sparse embeddings.
# runs
import torch
import torch.nn as nn


def random_graph(n, edges, seed=0):
    g = torch.Generator().manual_seed(seed)
    index = torch.randint(0, n, (2, edges), generator=g)
    weight = torch.rand(edges, generator=g) + 0.1
    return index, weight


class SparseGCN(nn.Module):
    def __init__(self, adj, features, hidden, classes):
        super().__init__()
        self.register_buffer("adj", adj)
        self.w1 = nn.Linear(features, hidden)
        self.w2 = nn.Linear(hidden, classes)

    def forward(self, x):
        x = torch.relu(torch.sparse.mm(self.adj, self.w1(x)))
        return torch.sparse.mm(self.adj, self.w2(x))


def main():
    torch.manual_seed(0)
    n = 15
    index, weight = random_graph(n, 60)
    cpu = torch.sparse_coo_tensor(index, weight, (n, n)).coalesce()
    adj = cpu.to("cuda:0")
    assert adj.is_sparse and adj.is_cuda and adj.is_coalesced()
    assert adj.indices().device == adj.values().device == torch.device("cuda:0")
    torch.testing.assert_close(adj.to_dense().cpu(), cpu.to_dense())

    raw = torch.sparse_coo_tensor(index.cuda(), weight.cuda(), (n, n))
    assert not raw.is_coalesced() and raw._nnz() == 60
    torch.testing.assert_close(raw.coalesce().to_dense(), adj.to_dense())
    torch.testing.assert_close(torch.sparse.sum(adj, dim=1).to_dense(), adj.to_dense().sum(1))
    torch.testing.assert_close(adj.t().to_dense(), adj.to_dense().t())
    torch.testing.assert_close((adj * 2 + adj).to_dense(), adj.to_dense() * 3)

    dense = torch.randn(n, 4, device="cuda:0", requires_grad=True)
    out = torch.sparse.mm(adj, dense)
    torch.testing.assert_close(out, adj.to_dense() @ dense, rtol=1e-4, atol=1e-5)
    out.square().sum().backward()
    expected = 2 * adj.to_dense().t() @ (adj.to_dense() @ dense.detach())
    torch.testing.assert_close(dense.grad, expected, rtol=1e-3, atol=1e-4)

    csr = adj.to_sparse_csr()
    assert csr.layout == torch.sparse_csr and csr.crow_indices().shape == (n + 1,)
    assert csr.crow_indices()[-1].item() == adj._nnz()
    torch.testing.assert_close(csr @ dense.detach(), out.detach(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(csr.matmul(torch.ones(n, device="cuda:0")), adj.to_dense().sum(1), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(csr.to_dense(), adj.to_dense())

    x = torch.randn(n, 5)
    y = torch.arange(n) % 3
    x[torch.arange(n), y] += 1.5
    model = SparseGCN(adj, 5, 8, 3).to("cuda:1")
    assert model.adj.device == torch.device("cuda:1") and model.adj.is_sparse
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(25):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to("cuda:1")), y.to("cuda:1"))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]

    table = nn.EmbeddingBag(20, 3, mode="sum", sparse=True, device="cuda:1")
    before = table.weight.detach().clone()
    opt = torch.optim.SparseAdam(table.parameters(), lr=0.1)
    items = torch.tensor([1, 1, 4, 9, 4], device="cuda:1")
    bags = torch.tensor([0, 2], device="cuda:1")
    rows = table(items, bags)
    torch.testing.assert_close(rows[0], 2 * table.weight[1])
    rows.sum().backward()
    grad = table.weight.grad
    assert grad.is_sparse and grad.device == table.weight.device
    assert grad.coalesce().indices().tolist() == [[1, 4, 9]]
    assert grad.coalesce().values()[:, 0].tolist() == [2.0, 2.0, 1.0]
    opt.step()
    changed = (table.weight != before).any(1).nonzero().flatten()
    assert changed.tolist() == [1, 4, 9]
    print(losses[0], "->", losses[-1])


main()
