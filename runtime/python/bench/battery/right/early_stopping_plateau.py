# early stopping that keeps the best weights on the CPU, and ReduceLROnPlateau fed with GPU losses
# runs
import torch
import torch.nn as nn


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def __call__(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            self.state = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}
        else:
            self.bad += 1
        return self.bad >= self.patience


def fit(dev):
    torch.manual_seed(3)
    model = nn.Linear(5, 1).to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.1, patience=1)
    stop = EarlyStopping(patience=4)
    x = torch.randn(64, 5)
    y = x @ torch.tensor([[1.0], [2.0], [3.0], [-1.0], [0.5]])
    xt, yt = x.to(dev), y.to(dev)
    epochs = 0
    for epoch in range(60):
        opt.zero_grad()
        (model(xt) - yt).pow(2).mean().backward()
        opt.step()
        with torch.no_grad():
            val = (model(xt) - yt).pow(2).mean()
            if epoch >= 10:
                val = val + (epoch - 9) * 10.0  # from here on the model is said to get worse
        sched.step(val)
        epochs += 1
        if stop(val.item(), model):
            break
    return model, stop, epochs, opt.param_groups[0]["lr"]


model, stop, epochs, lr = fit("cuda:0")
_, rstop, repochs, rlr = fit("cpu")
assert epochs == repochs == 14
assert abs(lr - rlr) < 1e-9 and lr < 0.05
assert abs(stop.best - rstop.best) < 1e-3
assert all(v.device.type == "cpu" for v in stop.state.values())
model.load_state_dict(stop.state)
assert model.weight.device == torch.device("cuda:0")
assert torch.allclose(model.weight.detach().cpu(), rstop.state["weight"], atol=1e-3)
