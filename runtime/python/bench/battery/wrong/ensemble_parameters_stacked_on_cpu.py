# The stacked parameters of a functional ensemble were taken before the models moved to the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device
import copy

import torch
import torch.nn as nn
from torch.func import functional_call, stack_module_state, vmap


class Regressor(nn.Module):
    def __init__(self, features=3, hidden=10):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x))).squeeze(-1)


class DeepEnsemble:
    """Runs all members at once with vmap over the stacked state."""

    def __init__(self, members):
        self.members = members
        self.params, self.buffers = stack_module_state(members)
        self.skeleton = copy.deepcopy(members[0]).to("meta")

    def to(self, device):
        for member in self.members:
            member.to(device)
        return self

    def _one(self, params, buffers, x):
        return functional_call(self.skeleton, (params, buffers), (x,))

    def predict(self, x):
        out = vmap(self._one, in_dims=(0, 0, None))(self.params, self.buffers, x)  # raises
        return out.mean(0), out.std(0)


class UncertaintyReport:
    def __init__(self, ensemble, device):
        self.ensemble = ensemble
        self.device = device

    def run(self, grids):
        rows = {}
        for name, grid in grids.items():
            mean, std = self.ensemble.predict(grid.to(self.device))
            rows[name] = (mean.mean().item(), std.mean().item())
        return rows


def train_member(seed):
    torch.manual_seed(seed)
    model = Regressor()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    g = torch.Generator().manual_seed(100 + seed)
    for _ in range(15):
        x = torch.rand(32, 3, generator=g) * 2 - 1
        loss = nn.functional.mse_loss(model(x), x.sin().sum(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def main():
    device = torch.device("cuda:0")
    ensemble = DeepEnsemble([train_member(s) for s in range(4)]).to(device)
    grids = {
        "inside": torch.rand(16, 3) * 2 - 1,
        "outside": torch.rand(16, 3) * 2 + 4,
    }
    for name, row in UncertaintyReport(ensemble, device).run(grids).items():
        print(f"{name}: mean {row[0]:.3f} std {row[1]:.3f}")


if __name__ == "__main__":
    main()
