# stop and resume: model, Adam, scheduler, scaler and the random states of CPU and both GPUs
# runs
import os
import tempfile

import torch
import torch.nn as nn

DEV = torch.device("cuda:1")


def build():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 1)).to(DEV)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    scaler = torch.amp.GradScaler("cuda", init_scale=256.0, growth_interval=3)
    return model, opt, sched, scaler


def train(parts, steps):
    model, opt, sched, scaler = parts
    losses = []
    for _ in range(steps):
        x = torch.randn(16, 6)
        noise = torch.randn(16, 6, device="cuda:1") * 0.1
        target = torch.rand(16, 1, device="cuda:0").to(DEV)
        opt.zero_grad()
        loss = (model(x.to(DEV) + noise) - target).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sched.step()
        losses.append(loss.item())
    return losses


with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "last.pt")
    torch.manual_seed(42)
    parts = build()
    torch.manual_seed(42)
    train(parts, 3)
    model, opt, sched, scaler = parts
    torch.save(
        {
            "model": model.state_dict(),
            "opt": opt.state_dict(),
            "sched": sched.state_dict(),
            "scaler": scaler.state_dict(),
            "cpu_rng": torch.get_rng_state(),
            "cuda_rng": torch.cuda.get_rng_state_all(),
        },
        path,
    )
    straight = train(parts, 4)
    final = {k: v.clone() for k, v in model.state_dict().items()}

    torch.manual_seed(999)
    model, opt, sched, scaler = again = build()
    train(again, 1)  # spoil it
    ckpt = torch.load(path, map_location="cpu")
    assert len(ckpt["cuda_rng"]) == 2 and ckpt["cuda_rng"][1].dtype == torch.uint8
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["opt"])
    sched.load_state_dict(ckpt["sched"])
    scaler.load_state_dict(ckpt["scaler"])
    torch.set_rng_state(ckpt["cpu_rng"])
    torch.cuda.set_rng_state_all(ckpt["cuda_rng"])
    resumed = train(again, 4)

assert opt.state[next(model.parameters())]["exp_avg"].device == DEV
assert all(abs(a - b) < 1e-4 for a, b in zip(straight, resumed)), (straight, resumed)
for k, v in model.state_dict().items():
    assert v.device == DEV and torch.allclose(v, final[k], atol=1e-4), k
assert scaler.get_scale() == 1024.0 and abs(opt.param_groups[0]["lr"] - 1e-2 * 0.5**3) < 1e-9
