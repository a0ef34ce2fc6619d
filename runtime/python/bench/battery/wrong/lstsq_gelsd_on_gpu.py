# The least-squares solver is configured for the LAPACK driver gelsd, which CUDA does not offer.
# raises: RuntimeError: `driver` other than `gels` is not supported on CUDA
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class SolverConfig:
    driver: str = "gelsd"
    rcond: float = 1e-6
    degree: int = 3


class PolynomialFeatures:
    def __init__(self, degree):
        self.degree = degree

    def __call__(self, x):
        return torch.stack([x**k for k in range(self.degree + 1)], dim=-1)


class LeastSquares:
    def __init__(self, cfg, device):
        self.cfg = cfg
        self.device = torch.device(device)
        self.features = PolynomialFeatures(cfg.degree)
        self.coef = None

    def _solve(self, a, b):
        return torch.linalg.lstsq(a, b, rcond=self.cfg.rcond, driver=self.cfg.driver).solution  # raises

    def fit(self, x, y):
        a = self.features(x.to(self.device, torch.float64))
        self.coef = self._solve(a, y.to(self.device, torch.float64).unsqueeze(-1))
        return self

    def predict(self, x):
        a = self.features(x.to(self.device, torch.float64))
        return (a @ self.coef).squeeze(-1)

    def score(self, x, y):
        y = y.to(self.device, torch.float64)
        residual = ((y - self.predict(x)) ** 2).sum()
        return (1 - residual / ((y - y.mean()) ** 2).sum()).item()


def cross_validate(cfg, device, x, y, folds=4):
    scores = []
    for k in range(folds):
        held = torch.arange(len(x)) % folds == k
        model = LeastSquares(cfg, device).fit(x[~held], y[~held])
        scores.append(model.score(x[held], y[held]))
    return sum(scores) / folds


def main():
    g = torch.Generator().manual_seed(0)
    x = torch.rand(40, generator=g) * 2 - 1
    y = 1 - 2 * x + 0.5 * x**3 + 0.01 * torch.randn(40, generator=g)
    cfg = SolverConfig()
    print("cpu r2:", cross_validate(cfg, "cpu", x, y))
    print("gpu r2:", cross_validate(cfg, "cuda", x, y))


if __name__ == "__main__":
    main()
