# Counting walks with a batched matmul of int64 adjacency matrices, which cuBLAS cannot do.
# raises: RuntimeError: not implemented for 'Long'
import torch
import torch.nn as nn


def batched_adjacency(edge_lists, nodes, device):
    """Stacks (B, N, N) integer adjacency matrices with self loops removed."""
    adj = torch.zeros(len(edge_lists), nodes, nodes, dtype=torch.long, device=device)
    for b, edges in enumerate(edge_lists):
        e = torch.tensor(edges, device=device)
        adj[b, e[:, 0], e[:, 1]] = 1
        adj[b, e[:, 1], e[:, 0]] = 1
    idx = torch.arange(nodes, device=device)
    adj[:, idx, idx] = 0
    return adj


class WalkFeatures(nn.Module):
    """Number of closed walks of every length up to max_length, per node."""

    def __init__(self, max_length):
        super().__init__()
        self.max_length = max_length

    def forward(self, adj):
        power, feats = adj, []
        for _ in range(self.max_length - 1):
            power = torch.matmul(power, adj)  # raises
            feats.append(torch.diagonal(power, dim1=-2, dim2=-1))
        return torch.stack(feats, dim=-1)


class GraphClassifier(nn.Module):
    def __init__(self, max_length=4, hidden=8, classes=2):
        super().__init__()
        self.features = WalkFeatures(max_length)
        self.mlp = nn.Sequential(
            nn.Linear(max_length - 1, hidden), nn.ReLU(), nn.Linear(hidden, classes)
        )

    def forward(self, adj):
        x = torch.log1p(self.features(adj).float())
        return self.mlp(x).mean(dim=1)


def main():
    device = torch.device("cuda:0")
    graphs = [
        [(0, 1), (1, 2), (2, 0), (3, 4)],
        [(0, 1), (1, 2), (2, 3), (3, 4)],
        [(0, 1), (0, 2), (1, 2), (2, 3)],
        [(0, 4), (1, 3), (1, 2), (2, 4)],
    ]
    labels = torch.tensor([1, 0, 1, 0], device=device)
    adj = batched_adjacency(graphs, 5, device)
    torch.manual_seed(0)
    model = GraphClassifier().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(10):
        loss = nn.functional.cross_entropy(model(adj), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("final loss", loss.item())


if __name__ == "__main__":
    main()
