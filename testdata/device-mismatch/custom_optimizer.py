# An optimizer of the program's own makes its state on the CPU.
import torch
from torch.optim import Optimizer


class SignMomentum(Optimizer):
    def __init__(self, params, lr=1e-3, decay=0.9):
        super().__init__(params, dict(lr=lr, decay=decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["average"] = torch.zeros(p.size())
                average = state["average"]
                update = average * group["decay"] + p.grad  # expect: device-mismatch
                p.add_(update.sign(), alpha=-group["lr"])


def main():
    model = torch.nn.Linear(8, 2).to("cuda")
    optimizer = SignMomentum(model.parameters())
    optimizer.zero_grad()
    model(torch.rand(4, 8, device="cuda")).sum().backward()
    optimizer.step()


main()
