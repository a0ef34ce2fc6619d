# For-loop, foreach, fused and capturable optimizers on the GPU against the CPU, with groups on two devices.
# runs
import copy
import io

import torch
import torch.nn as nn

SETTINGS = {
    "sgd": (torch.optim.SGD, dict(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)),
    "adam": (torch.optim.Adam, dict(lr=0.01, amsgrad=True)),
    "adamw": (torch.optim.AdamW, dict(lr=0.01, weight_decay=0.1)),
    "adagrad": (torch.optim.Adagrad, dict(lr=0.05)),
}


def run(model, cls, options, x, y, steps=6):
    optimizer = cls(model.parameters(), **options)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=steps, cycle_momentum=False)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
    return [p.detach().cpu() for p in model.parameters()], optimizer


def main():
    torch.manual_seed(0)
    base = nn.Sequential(nn.Linear(5, 9), nn.Tanh(), nn.Linear(9, 2)).double()
    x, y = torch.randn(12, 5).double(), torch.randn(12, 2).double()
    for name, (cls, options) in SETTINGS.items():
        want, _ = run(copy.deepcopy(base), cls, options, x, y)
        variants = [dict(foreach=False), dict(foreach=True), {}]
        if name != "adagrad":
            variants.append(dict(fused=True))
        if name in ("adam", "adamw"):
            variants.append(dict(capturable=True))
        for i, extra in enumerate(variants):
            device = torch.device("cuda", i % 2)
            got, optimizer = run(
                copy.deepcopy(base).to(device), cls, {**options, **extra}, x.to(device), y.to(device)
            )
            for a, b in zip(got, want):
                torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4, msg=lambda m: f"{name} {extra}: {m}")
            for p, state in optimizer.state.items():
                if "step" in state:
                    on_gpu = extra.get("fused") or extra.get("capturable")
                    assert state["step"].is_cuda == bool(on_gpu), (name, extra)
                    assert state["step"].item() == 6

    # parameter groups on two devices, saved and resumed
    a, b = nn.Linear(3, 3).to("cuda:0"), nn.Linear(3, 3).to("cuda:1")
    groups = [{"params": a.parameters(), "lr": 0.02}, {"params": b.parameters(), "lr": 0.01, "betas": (0.8, 0.9)}]
    optimizer = torch.optim.Adam(groups, fused=True)
    inp = torch.randn(4, 3)

    def step(opt):
        opt.zero_grad()
        loss = b(a(inp.to("cuda:0")).relu().to("cuda:1")).square().mean()
        loss.backward()
        opt.step()
        return loss.item()

    first = [step(optimizer) for _ in range(4)]
    assert first[-1] < first[0]
    buffer = io.BytesIO()
    torch.save((optimizer.state_dict(), a.state_dict(), b.state_dict()), buffer)
    after = step(optimizer)
    after2 = step(optimizer)
    buffer.seek(0)
    opt_state, sa, sb = torch.load(buffer, map_location="cpu")
    a.load_state_dict(sa)
    b.load_state_dict(sb)
    resumed = torch.optim.Adam(
        [{"params": a.parameters(), "lr": 1.0}, {"params": b.parameters(), "lr": 1.0}], fused=True
    )
    resumed.load_state_dict(opt_state)
    assert [g["lr"] for g in resumed.param_groups] == [0.02, 0.01]
    assert all(s["exp_avg"].device == p.device for p, s in resumed.state.items())
    torch.testing.assert_close(torch.tensor([step(resumed), step(resumed)]), torch.tensor([after, after2]), rtol=1e-4, atol=1e-5)

    rosen = torch.tensor([-1.0, 1.5], device="cuda:1", requires_grad=True)
    lbfgs = torch.optim.LBFGS([rosen], max_iter=100, max_eval=500, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        loss = (1 - rosen[0]) ** 2 + 100 * (rosen[1] - rosen[0] ** 2) ** 2
        loss.backward()
        return loss

    lbfgs.step(closure)
    assert (rosen - 1).abs().max() < 0.05 and rosen.device.index == 1
    total = torch._foreach_norm([p.grad for p in a.parameters()])
    assert all(t.device == torch.device("cuda:0") for t in total)
    print("optimisers agree", first)


if __name__ == "__main__":
    main()
