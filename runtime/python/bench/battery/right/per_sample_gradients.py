# Per-sample gradients with vmap and grad, and clipped private updates, against a loop on the CPU.
# runs
import copy

import torch
from torch import nn
from torch.func import functional_call, grad, jacrev, vmap


def per_sample_gradients(model, x, y):
    params = {k: p.detach() for k, p in model.named_parameters()}

    def loss(params, xi, yi):
        out = functional_call(model, params, (xi.unsqueeze(0),))
        return nn.functional.cross_entropy(out, yi.unsqueeze(0))

    return vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)


def by_loop(model, x, y):
    rows = []
    for xi, yi in zip(x, y):
        model.zero_grad()
        nn.functional.cross_entropy(model(xi.unsqueeze(0)), yi.unsqueeze(0)).backward()
        rows.append({k: p.grad.clone() for k, p in model.named_parameters()})
    return {k: torch.stack([r[k] for r in rows]) for k in rows[0]}


def clipped_mean(grads, bound):
    n = next(iter(grads.values())).size(0)
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
    factor = (bound / norms).clamp(max=1.0)
    return {k: torch.einsum("n,n...->...", factor, g) / n for k, g in grads.items()}


torch.manual_seed(26)
model = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3)).double()
x, y = torch.randn(9, 5, dtype=torch.float64), torch.randint(0, 3, (9,))
expected = by_loop(model, x, y)
on_gpu = copy.deepcopy(model).to("cuda:1")
got = per_sample_gradients(on_gpu, x.to("cuda:1"), y.to("cuda:1"))
assert got["0.weight"].shape == (9, 7, 5)
for k in expected:
    assert got[k].device == torch.device("cuda:1")
    assert torch.allclose(got[k].cpu(), expected[k], atol=1e-8), k
a, b = clipped_mean(got, 0.3), clipped_mean(expected, 0.3)
assert all(torch.allclose(a[k].cpu(), b[k], atol=1e-8) for k in a)

jacobian = vmap(jacrev(on_gpu))(x.to("cuda:1"))
first = torch.autograd.functional.jacobian(model, x[0])
assert jacobian.shape == (9, 3, 5) and torch.allclose(jacobian[0].cpu(), first, atol=1e-8)
noise = vmap(lambda t: t + torch.randn_like(t), randomness="different")(torch.zeros(4, 3, device="cuda:1"))
assert noise.get_device() == 1 and len(noise.unique()) == 12
