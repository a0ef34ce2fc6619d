# Trains with DataParallel over both cards and compares loss, gradients and the exported weights with a CPU run.
# runs
import copy
from collections import OrderedDict

import torch
import torch.nn as nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 12)
        self.mean = nn.Linear(12, 2)
        self.scale = nn.Linear(12, 2)
        self.register_buffer("seen_on", torch.zeros(1))

    def forward(self, x, temperature=1.0):
        h = torch.tanh(self.body(x))
        return {"mean": self.mean(h) / temperature, "scale": nn.functional.softplus(self.scale(h)), "n": h.new_full((1,), len(h))}


def nll(out, y):
    return (((y - out["mean"]) / out["scale"]) ** 2 / 2 + out["scale"].log()).mean()


def strip(state):
    return OrderedDict((k.removeprefix("module."), v) for k, v in state.items())


def steps(model, x, y, n):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(n):
        optimizer.zero_grad()
        loss = nll(model(x, temperature=2.0), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(0)
    reference = TwoHeads()
    parallel = nn.DataParallel(copy.deepcopy(reference).to("cuda:1"), device_ids=[1, 0], output_device=0)
    assert parallel.device_ids == [1, 0] and parallel.output_device == 0
    x = torch.randn(10, 6)
    y = torch.stack([x.sum(1), x[:, 0]], dim=1)

    out = parallel(x.to("cuda:1"), temperature=2.0)
    assert out["mean"].device == torch.device("cuda:0") and out["mean"].shape == (10, 2)
    assert out["n"].tolist() == [5.0, 5.0]
    # inputs may also come from the CPU
    torch.testing.assert_close(parallel(x, temperature=2.0)["mean"], out["mean"])

    ours = steps(parallel, x, y.to("cuda:0"), 6)
    theirs = steps(reference, x, y, 6)
    torch.testing.assert_close(torch.tensor(ours), torch.tensor(theirs), rtol=1e-3, atol=1e-4)
    assert ours[-1] < ours[0]
    for p in parallel.parameters():
        assert p.device.index == 1 and p.grad.device == p.device

    state = parallel.state_dict()
    assert all(k.startswith("module.") for k in state)
    fresh = TwoHeads()
    fresh.load_state_dict(strip(state))
    for (name, a), b in zip(fresh.named_parameters(), reference.parameters()):
        assert a.device.type == "cpu", name
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)
    print("losses", ours)


if __name__ == "__main__":
    main()
