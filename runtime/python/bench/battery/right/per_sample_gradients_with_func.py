# torch.func on the GPU: per-sample gradients, Jacobians, Hessian-vector products and an ensemble under vmap.
# runs
import torch
import torch.nn as nn
from torch.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, stack_module_state, vjp, vmap

DEVICE = torch.device("cuda:1")


def loss_fn(model, params, x, y):
    out = functional_call(model, params, (x.unsqueeze(0),))
    return nn.functional.mse_loss(out, y.unsqueeze(0))


def per_sample(model, x, y):
    params = {k: v.detach() for k, v in model.named_parameters()}
    return vmap(grad(lambda p, a, b: loss_fn(model, p, a, b)), in_dims=(None, 0, 0))(params, x, y)


def by_loop(model, x, y):
    rows = []
    for a, b in zip(x, y):
        loss = nn.functional.mse_loss(model(a.unsqueeze(0)), b.unsqueeze(0))
        rows.append(torch.autograd.grad(loss, list(model.parameters())))
    return [torch.stack(g) for g in zip(*rows)]


def dp_sgd_step(model, x, y, clip, lr):
    grads = per_sample(model, x, y)
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
    factor = (clip / norms).clamp(max=1.0)
    with torch.no_grad():
        for name, p in model.named_parameters():
            p -= lr * torch.einsum("b,b...->...", factor, grads[name]) / len(x)
    return norms


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 2)).to(DEVICE).double()
    x, y = torch.randn(6, 3, device=DEVICE).double(), torch.randn(6, 2, device=DEVICE).double()
    ours = per_sample(model, x, y)
    for g, ref, p in zip(ours.values(), by_loop(model, x, y), model.parameters()):
        assert g.shape == (6, *p.shape) and g.device == DEVICE
        torch.testing.assert_close(g, ref)

    before = nn.functional.mse_loss(model(x), y).item()
    for _ in range(20):
        norms = dp_sgd_step(model, x, y, clip=1.0, lr=0.2)
    assert norms.shape == (6,) and nn.functional.mse_loss(model(x), y).item() < before

    point = torch.randn(3, device=DEVICE, dtype=torch.float64)
    f = lambda t: model(t)
    torch.testing.assert_close(jacrev(f)(point), jacfwd(f)(point))
    scalar = lambda t: (t.sin() * t.roll(1)).sum()
    h = hessian(scalar)(point)
    assert h.shape == (3, 3) and h.device == DEVICE
    torch.testing.assert_close(h, h.T)
    v = torch.randn_like(point)
    _, hv = jvp(grad(scalar), (point,), (v,))
    torch.testing.assert_close(hv, h @ v)
    value, pull = vjp(scalar, point)
    torch.testing.assert_close(pull(torch.ones_like(value))[0], grad(scalar)(point))

    members = [nn.Linear(3, 1).to(DEVICE).double() for _ in range(4)]
    params, buffers = stack_module_state(members)
    assert params["weight"].shape == (4, 1, 3) and params["weight"].device == DEVICE
    base = nn.Linear(3, 1, device="meta")
    out = vmap(lambda p, b, t: functional_call(base, (p, b), (t,)), (0, 0, None))(params, buffers, x)
    torch.testing.assert_close(out, torch.stack([m(x) for m in members]))

    noise = vmap(lambda t: t + torch.randn_like(t), randomness="different")(torch.zeros(4, 3, device=DEVICE))
    assert noise.device == DEVICE and len(noise.unique()) == 12
    same = vmap(lambda t: t + torch.randn_like(t), randomness="same")(torch.zeros(4, 3, device=DEVICE))
    assert torch.equal(same[0], same[3])
    print("loss before", before)


main()
