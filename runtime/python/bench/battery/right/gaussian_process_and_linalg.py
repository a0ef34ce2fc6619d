# A Gaussian process and a tour of torch.linalg in double precision on the GPU, compared with the CPU.
# runs
import math

import torch
import torch.nn as nn


class GP(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_length = nn.Parameter(torch.zeros((), dtype=torch.float64))
        self.log_noise = nn.Parameter(torch.tensor(-1.0, dtype=torch.float64))

    def kernel(self, a, b):
        return torch.exp(-0.5 * torch.cdist(a, b).square() / self.log_length.exp() ** 2)

    def marginal(self, x, y):
        k = self.kernel(x, x) + self.log_noise.exp() ** 2 * torch.eye(len(x), device=x.device, dtype=x.dtype)
        chol = torch.linalg.cholesky(k)
        alpha = torch.cholesky_solve(y.unsqueeze(1), chol)
        fit = 0.5 * (y.unsqueeze(1) * alpha).sum()
        return fit + chol.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, y, grid):
        k = self.kernel(x, x) + self.log_noise.exp() ** 2 * torch.eye(len(x), device=x.device, dtype=x.dtype)
        cross = self.kernel(grid, x)
        solved = torch.linalg.solve(k, torch.cat([y.unsqueeze(1), cross.t()], dim=1))
        return cross @ solved[:, 0], 1 - (cross * solved[:, 1:].t()).sum(1)


def run(device):
    x = torch.linspace(0.05, 3.05, 14, dtype=torch.float64, device=device).unsqueeze(1)
    y = torch.sin(2 * x).squeeze(1)
    gp = GP().to(device)
    optimizer = torch.optim.Adam(gp.parameters(), lr=0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = gp.marginal(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    grid = torch.linspace(0.1, 2.9, 5, dtype=torch.float64, device=device).unsqueeze(1)
    mean, var = gp.predict(x, y, grid)
    return losses, mean, var, torch.sin(2 * grid).squeeze(1)


def main():
    torch.manual_seed(0)
    losses, mean, var, truth = run("cuda:1")
    cpu_losses, cpu_mean, cpu_var, _ = run("cpu")
    assert losses[-1] < losses[0] and mean.device == torch.device("cuda:1")
    torch.testing.assert_close(torch.tensor(losses), torch.tensor(cpu_losses), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(mean.cpu(), cpu_mean, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(var.cpu(), cpu_var, rtol=1e-3, atol=1e-4)
    assert (mean - truth).abs().max() < 0.3

    a = torch.randn(3, 5, 5, dtype=torch.float64, device="cuda:0")
    spd = a @ a.mT + 5 * torch.eye(5, dtype=a.dtype, device=a.device)
    u, s, vh = torch.linalg.svd(a)
    torch.testing.assert_close(u * s.unsqueeze(-2) @ vh, a)
    torch.testing.assert_close(s.cpu(), torch.linalg.svdvals(a.cpu()))
    q, r = torch.linalg.qr(a)
    torch.testing.assert_close(q @ r, a)
    torch.testing.assert_close(torch.linalg.eigvalsh(spd).cpu(), torch.linalg.eigvalsh(spd.cpu()))
    w, v = torch.linalg.eigh(spd)
    torch.testing.assert_close(v @ torch.diag_embed(w) @ v.mT, spd)
    lu, pivots = torch.linalg.lu_factor(a)
    b = torch.randn(3, 5, 2, dtype=a.dtype, device=a.device)
    torch.testing.assert_close(a @ torch.linalg.lu_solve(lu, pivots, b), b)
    torch.testing.assert_close(torch.linalg.inv(a) @ a, torch.eye(5, dtype=a.dtype, device=a.device).expand(3, 5, 5))
    sign, logdet = torch.linalg.slogdet(a)
    torch.testing.assert_close(sign * logdet.exp(), torch.linalg.det(a))
    upper = torch.linalg.cholesky(spd, upper=True)
    torch.testing.assert_close(upper.mT @ upper, spd)
    torch.testing.assert_close(torch.linalg.solve_triangular(upper, upper @ b, upper=True), b)
    skew = a - a.mT
    rotation = torch.linalg.matrix_exp(skew)
    torch.testing.assert_close(rotation @ rotation.mT, torch.eye(5, dtype=a.dtype, device=a.device).expand(3, 5, 5))
    tall = torch.randn(20, 3, dtype=a.dtype, device=a.device)
    rhs = torch.randn(20, 1, dtype=a.dtype, device=a.device)
    fit = torch.linalg.lstsq(tall, rhs).solution
    torch.testing.assert_close(fit, torch.linalg.pinv(tall) @ rhs)
    _, info = torch.linalg.cholesky_ex(-spd)
    assert info.device == a.device and (info > 0).all()
    try:
        torch.linalg.cholesky(-spd[0])
    except torch.linalg.LinAlgError as error:
        assert "cholesky" in str(error)
    else:
        raise AssertionError("a negative matrix has no Cholesky factor")
    print("log marginal", losses[-1])


main()
