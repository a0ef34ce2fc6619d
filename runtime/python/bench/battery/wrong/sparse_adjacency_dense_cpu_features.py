# The normalised sparse adjacency is on the GPU, the node features of the last batch were left on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device
import torch
import torch.nn as nn


def normalised_adjacency(edges, n, device):
    """D^-1/2 (A + I) D^-1/2 as a coalesced sparse COO tensor."""
    loops = torch.arange(n).repeat(2, 1)
    idx = torch.cat([edges, edges.flip(0), loops], dim=1)
    adj = torch.sparse_coo_tensor(idx, torch.ones(idx.size(1)), (n, n)).coalesce()
    idx, val = adj.indices(), adj.values().clamp(max=1.0)
    degree = torch.zeros(n).index_add_(0, idx[0], val)
    scale = degree.pow(-0.5)
    val = scale[idx[0]] * val * scale[idx[1]]
    return torch.sparse_coo_tensor(idx, val, (n, n)).coalesce().to(device)


class Propagation:
    """Precomputes A^k X, as in SGC."""

    def __init__(self, adj, hops):
        self.adj, self.hops = adj, hops

    def __call__(self, x):
        for _ in range(self.hops):
            x = torch.sparse.mm(self.adj, x)  # raises
        return x


class Data:
    def __init__(self, n=24, features=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.n = n
        self.x = torch.randn(n, features, generator=g)
        self.y = (torch.arange(n) % 3).long()
        self.x[torch.arange(n), self.y] += 2.0
        self.edges = torch.stack([torch.arange(n), (torch.arange(n) + 3) % n])
        self.train_mask = torch.arange(n) < 16

    def to(self, device):
        self.y = self.y.to(device)
        self.train_mask = self.train_mask.to(device)
        return self


def main():
    device = torch.device("cuda:0")
    data = Data().to(device)
    adj = normalised_adjacency(data.edges, data.n, device)
    features = Propagation(adj, hops=2)(data.x)
    model = nn.Linear(features.size(1), 3).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(20):
        out = model(features)
        loss = nn.functional.cross_entropy(out[data.train_mask], data.y[data.train_mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy = (out.argmax(1) == data.y)[~data.train_mask].float().mean()
    print("accuracy", accuracy.item())


if __name__ == "__main__":
    main()
