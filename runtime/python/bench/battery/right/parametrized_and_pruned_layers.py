# Parametrizations (orthogonal, weight norm, spectral norm, own) and pruning on modules that move between devices.
# runs
import copy

import torch
import torch.nn as nn
import torch.nn.utils.prune as prune
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import orthogonal, spectral_norm, weight_norm


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT

    def right_inverse(self, a):
        return a.triu()


class BandMask(nn.Module):
    def __init__(self, n, width):
        super().__init__()
        i = torch.arange(n)
        self.register_buffer("mask", ((i[:, None] - i[None]).abs() <= width).float())

    def forward(self, x):
        return x * self.mask


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = spectral_norm(nn.Linear(6, 12), n_power_iterations=15)
        self.b = weight_norm(nn.Linear(12, 12))
        self.c = orthogonal(nn.Linear(12, 12, bias=False))
        self.d = nn.Linear(12, 1)

    def forward(self, x):
        return self.d(self.c(torch.relu(self.b(torch.relu(self.a(x))))))


def main():
    torch.manual_seed(0)
    critic = Critic().to("cuda:0")
    x = torch.randn(32, 6, device="cuda:0")
    y = (x[:, :1] - x[:, 1:2]).tanh()
    optimizer = torch.optim.Adam(critic.parameters(), lr=1e-2)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(critic(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    eye = torch.eye(12, device="cuda:0")
    torch.testing.assert_close(critic.c.weight @ critic.c.weight.mT, eye, rtol=0, atol=1e-4)
    critic.eval()
    assert torch.linalg.matrix_norm(critic.a.weight, 2).item() < 1.1
    g, v = critic.b.parametrizations.weight.original0, critic.b.parametrizations.weight.original1
    assert g.device == v.device == torch.device("cuda:0") and g.shape == (12, 1)
    torch.testing.assert_close(critic.b.weight, g * v / v.norm(dim=1, keepdim=True), rtol=1e-4, atol=1e-5)

    with torch.no_grad():
        before = critic(x)
    critic.to("cuda:1")
    assert critic.c.weight.device == torch.device("cuda:1")
    with torch.no_grad():
        torch.testing.assert_close(critic(x.to("cuda:1")).to("cuda:0"), before, rtol=1e-4, atol=1e-5)
    parametrize.remove_parametrizations(critic.b, "weight", leave_parametrized=True)
    assert not parametrize.is_parametrized(critic.b) and critic.b.weight.is_leaf
    with torch.no_grad():
        torch.testing.assert_close(critic(x.to("cuda:1")).to("cuda:0"), before, rtol=1e-4, atol=1e-5)

    layer = nn.Linear(5, 5).cuda(1)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    assert torch.equal(layer.weight, layer.weight.mT)
    parametrize.register_parametrization(layer, "weight", BandMask(5, 1).cuda(1), unsafe=True)
    assert layer.weight[0, 2:].abs().sum() == 0
    with parametrize.cached():
        assert layer.weight is layer.weight
    twin = copy.deepcopy(layer).cpu()
    torch.testing.assert_close(twin.weight, layer.weight.cpu())

    net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 5)).cuda()
    prune.l1_unstructured(net[0], "weight", amount=0.5)
    assert net[0].weight_mask.device == net[0].weight_orig.device == torch.device("cuda:0")
    assert net[0].weight_mask.sum().item() == 100
    prune.ln_structured(net[2], "weight", amount=2, n=2, dim=0)
    assert (net[2].weight.abs().sum(1) == 0).sum().item() == 2
    net(torch.randn(3, 10, device="cuda")).sum().backward()
    assert net[0].weight_orig.grad[net[0].weight_mask == 0].abs().sum() == 0
    net.to("cuda:1")
    assert net(torch.randn(3, 10, device="cuda:1")).device.index == 1
    prune.custom_from_mask(net[2], "bias", torch.tensor([1, 0, 1, 1, 0], device="cuda:1"))
    assert net[2].bias[1].item() == 0
    for module, name in ((net[0], "weight"), (net[2], "weight"), (net[2], "bias")):
        prune.remove(module, name)
    assert not prune.is_pruned(net) and (net[0].weight == 0).sum().item() == 100
    print(losses[0], "->", losses[-1])


main()
