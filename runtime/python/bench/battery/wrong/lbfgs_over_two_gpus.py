# L-BFGS flattens all gradients into one vector, but the two halves of the network are on different GPUs.
# raises: RuntimeError: Expected all tensors to be on the same device
import torch
import torch.nn as nn


class SplitPINN(nn.Module):
    """u(x) for u'' = -u, with the layers spread over two cards."""

    def __init__(self, width=12, first="cuda:0", second="cuda:1"):
        super().__init__()
        self.first, self.second = torch.device(first), torch.device(second)
        self.inner = nn.Sequential(nn.Linear(1, width), nn.Tanh()).to(self.first)
        self.outer = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)).to(self.second)

    def forward(self, x):
        hidden = self.inner(x.to(self.first))
        return self.outer(hidden.to(self.second))


def derivative(y, x):
    (grad,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return grad


class Residual:
    def __init__(self, model, points):
        self.model = model
        self.x = torch.linspace(0, 1, points, device=model.first).unsqueeze(1).requires_grad_(True)

    def __call__(self):
        u = self.model(self.x)
        du = derivative(u, self.x)
        ddu = derivative(du, self.x)
        equation = (ddu.to(u.device) + u).square().mean()
        boundary = u[0].square().sum() + (du[0].to(u.device) - 1).square().sum()
        return equation + boundary


class Solver:
    def __init__(self, model):
        self.model = model
        self.residual = Residual(model, points=16)

    def adam(self, steps):
        optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = self.residual()
            loss.backward()
            optimizer.step()
        return loss.item()

    def refine(self, iterations):
        optimizer = torch.optim.LBFGS(
            self.model.parameters(), max_iter=iterations, line_search_fn="strong_wolfe"
        )

        def closure():
            optimizer.zero_grad()
            loss = self.residual()
            loss.backward()
            return loss

        return optimizer.step(closure).item()  # raises


def main():
    torch.manual_seed(0)
    solver = Solver(SplitPINN())
    print("adam", solver.adam(5))
    print("l-bfgs", solver.refine(10))


if __name__ == "__main__":
    main()
