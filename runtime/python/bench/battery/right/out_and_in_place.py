# Preallocated outputs and in-place updates in a power iteration on the GPU keep their storage.
# runs
import torch


class PowerIteration:
    """Finds the largest eigenvalue without allocating inside the loop."""

    def __init__(self, n, device):
        self.v = torch.ones(n, 1, dtype=torch.float64, device=device)
        self.w = torch.empty_like(self.v)
        self.norm = torch.empty((), dtype=torch.float64, device=device)

    def run(self, a, steps):
        for _ in range(steps):
            torch.mm(a, self.v, out=self.w)
            torch.linalg.vector_norm(self.w, out=self.norm)
            torch.div(self.w, self.norm, out=self.v)
        return self.norm


torch.manual_seed(11)
b = torch.rand(10, 10, dtype=torch.float64)
a = b @ b.T
solver = PowerIteration(10, "cuda:0")
pointers = (solver.v.data_ptr(), solver.w.data_ptr(), solver.norm.data_ptr())
largest = solver.run(a.to("cuda:0"), 200)
assert pointers == (solver.v.data_ptr(), solver.w.data_ptr(), solver.norm.data_ptr())
assert torch.allclose(largest.cpu(), torch.linalg.eigvalsh(a)[-1])

x = torch.arange(12.0, device="cuda:1").view(3, 4)
y = x.clone()
version = y._version
y.mul_(2).add_(1).clamp_(max=15).sub_(x, alpha=0.5)
y[1].zero_()
y[:, 2] = torch.tensor([7.0, 8.0, 9.0])
y[y > 12] = -1
y.index_fill_(1, torch.tensor([0], device="cuda:1"), 3.0)
y[0, 3] = 100
assert y._version > version and y.device == torch.device("cuda:1")
z = torch.arange(12.0).view(3, 4)
e = (z * 2 + 1).clamp(max=15) - 0.5 * z
e[1] = 0
e[:, 2] = torch.tensor([7.0, 8.0, 9.0])
e[e > 12] = -1
e[:, 0] = 3
e[0, 3] = 100
assert torch.equal(y.cpu(), e)
out = torch.empty(0, device="cuda:1")
torch.cumsum(x, 1, out=out)
assert out.shape == (3, 4) and torch.equal(out.cpu(), z.cumsum(1))
values, where = torch.empty(0, device="cuda:1"), torch.empty(0, dtype=torch.int64, device="cuda:1")
torch.sort(x, dim=1, descending=True, out=(values, where))
assert torch.equal(where[0].cpu(), torch.tensor([3, 2, 1, 0]))
