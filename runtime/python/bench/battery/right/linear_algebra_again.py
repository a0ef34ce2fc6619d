# A Gaussian process regression by Cholesky, checked by other decompositions and the CPU.
# runs
import math

import torch


class GaussianProcess:
    def __init__(self, x, y, length=0.7, noise=1e-2):
        self.x, self.length = x, length
        k = self.kernel(x, x) + noise * torch.eye(len(x), dtype=x.dtype, device=x.device)
        self.chol = torch.linalg.cholesky(k)
        self.alpha = torch.cholesky_solve(y.unsqueeze(1), self.chol)
        self.k = k

    def kernel(self, a, b):
        return torch.exp(-0.5 * (torch.cdist(a, b) / self.length) ** 2)

    def predict(self, q):
        cross = self.kernel(q, self.x)
        mean = (cross @ self.alpha).squeeze(1)
        v = torch.linalg.solve_triangular(self.chol, cross.mT, upper=False)
        return mean, 1 - v.square().sum(0)

    def log_det(self):
        return 2 * self.chol.diagonal().log().sum()


torch.manual_seed(2)
x = torch.rand(12, 2, dtype=torch.float64) * 3
y = torch.sin(x[:, 0]) + x[:, 1]
q = torch.rand(5, 2, dtype=torch.float64) * 3
cpu = GaussianProcess(x, y)
gpu = GaussianProcess(x.cuda(), y.cuda())
for a, b in zip(gpu.predict(q.cuda()), cpu.predict(q)):
    assert a.is_cuda and torch.allclose(a.cpu(), b, atol=1e-8)
sign, value = torch.linalg.slogdet(gpu.k)
assert sign.item() == 1.0 and math.isclose(value.item(), gpu.log_det().item(), rel_tol=1e-9)
eigenvalues, vectors = torch.linalg.eigh(gpu.k)
assert torch.allclose(vectors @ torch.diag(eigenvalues) @ vectors.mT, gpu.k, atol=1e-8)
u, s, vh = torch.linalg.svd(gpu.k)
assert torch.allclose(s.flip(0), eigenvalues, atol=1e-8)
qm, r = torch.linalg.qr(gpu.k)
assert torch.allclose(qm.mT @ qm, torch.eye(12, dtype=torch.float64, device="cuda"), atol=1e-8)
assert torch.allclose(torch.linalg.inv(gpu.k) @ gpu.k, qm @ qm.mT, atol=1e-6)
assert torch.allclose(torch.linalg.solve(gpu.k, y.cuda()), gpu.alpha.squeeze(1), atol=1e-8)
