# Saves a model with its optimiser on cuda:0 and reloads it everywhere with every kind of map_location.
# runs
import io

import torch
import torch.nn as nn


def build(device):
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    return model, torch.optim.AdamW(model.parameters(), lr=1e-2)


def train(model, optimizer, device, steps=4):
    model.train()
    for i in range(steps):
        x = torch.arange(32.0).view(8, 4).add(i).sin().to(device)
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def devices_of(payload):
    found = {v.device for v in payload["model"].values()}
    for state in payload["optimizer"]["state"].values():
        found.add(state["exp_avg"].device)
    return found


def main():
    torch.manual_seed(0)
    model, optimizer = build("cuda:0")
    train(model, optimizer, "cuda:0")
    buffer = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 4}, buffer)

    cases = {
        "none": (None, {torch.device("cuda:0")}),
        "cpu": ("cpu", {torch.device("cpu")}),
        "device": (torch.device("cuda", 1), {torch.device("cuda:1")}),
        "swap": ({"cuda:0": "cuda:1"}, {torch.device("cuda:1")}),
        "call": (lambda storage, location: storage.cuda(1), {torch.device("cuda:1")}),
        "keep": (lambda storage, location: storage, {torch.device("cpu")}),
    }
    for name, (where, expected) in cases.items():
        buffer.seek(0)
        payload = torch.load(buffer, map_location=where, weights_only=True)
        found = devices_of(payload)
        assert found == expected, (name, found)
        assert payload["epoch"] == 4

    # resume on the other card and on the CPU: the same continuation
    finals = []
    for device in ("cuda:0", "cuda:1", "cpu"):
        buffer.seek(0)
        payload = torch.load(buffer, map_location="cpu")
        other, opt = build(device)
        other.load_state_dict(payload["model"])
        opt.load_state_dict(payload["optimizer"])
        for p, state in opt.state.items():
            assert state["exp_avg"].device == p.device
            assert state["step"].device.type == "cpu" and state["step"].item() == 4
        finals.append(train(other, opt, device))
        assert other[1].num_batches_tracked.item() == 8
        assert other[1].running_mean.device == torch.device(device)
    torch.testing.assert_close(torch.tensor(finals), torch.tensor([finals[0]] * 3), rtol=2e-2, atol=1e-3)

    # assign=True takes over the tensors of the checkpoint, devices included
    buffer.seek(0)
    with torch.device("meta"):
        shell = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
    shell.load_state_dict(torch.load(buffer, map_location="cuda:1")["model"], assign=True)
    assert all(p.device == torch.device("cuda:1") for p in shell.parameters())
    assert isinstance(shell[0].weight, nn.Parameter) and shell[0].weight.requires_grad
    print("final losses", finals)


if __name__ == "__main__":
    main()
