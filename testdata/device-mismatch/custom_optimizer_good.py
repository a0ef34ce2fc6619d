# An optimizer of the program's own makes its state where each parameter is.
import torch
from torch.optim import Optimizer


class Momentum(Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["steps"] = torch.tensor(0.0)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "average" not in state:
                    state["average"] = torch.zeros_like(p)
                state["steps"] += 1
                state["average"].mul_(0.9).add_(p.grad)
                p.add_(state["average"], alpha=-group["lr"])


# Parameters on several devices: each has its own state.
class Scaled(torch.optim.Optimizer):
    def __init__(self, params):
        defaults = {"lr": 0.1}
        super(Scaled, self).__init__(params, defaults)

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["scale"] = torch.full_like(p.data, 0.5)
                p.data.sub_(state["scale"] * p.grad.data * group["lr"])
        return loss


def main():
    first = torch.nn.Linear(8, 4).to("cuda:0")
    second = torch.nn.Linear(4, 2).to("cuda:1")
    optimizers = [
        Momentum(list(first.parameters()) + list(second.parameters())),
        Scaled([{"params": first.parameters()}, {"params": second.parameters()}]),
    ]
    for _ in range(2):
        for optimizer in optimizers:
            optimizer.zero_grad()
        hidden = first(torch.rand(4, 8, device="cuda:0"))
        second(hidden.to("cuda:1")).sum().backward()
        for optimizer in optimizers:
            optimizer.step()


main()
