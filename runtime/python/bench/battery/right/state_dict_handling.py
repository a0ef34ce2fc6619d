# State dicts cross devices: copies into place, assignment, strictness, optimizer state following parameters.
# runs
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.a = nn.Linear(4, width)
        self.b = nn.BatchNorm1d(width)
        self.register_buffer("scratch", torch.zeros(2), persistent=False)

    def forward(self, x):
        return self.b(self.a(x)).sum(dim=1)


def train(net, optimizer, device, steps):
    generator = torch.Generator().manual_seed(0)
    for _ in range(steps):
        x = torch.randn(8, 4, generator=generator).double().to(device)
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()


torch.manual_seed(18)
net = Net().double().to("cuda:0")
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
train(net, optimizer, "cuda:0", 3)
state = net.state_dict()
assert list(state) == ["a.weight", "a.bias", "b.weight", "b.bias", "b.running_mean", "b.running_var",
                       "b.num_batches_tracked"]
assert net.scratch.device == torch.device("cuda:0")
assert state["a.weight"].data_ptr() == net.a.weight.data_ptr()

other = Net().double().to("cuda:1")
pointer = other.a.weight.data_ptr()
assert str(other.load_state_dict(state)) == "<All keys matched successfully>"
assert other.a.weight.data_ptr() == pointer and other.a.weight.device == torch.device("cuda:1")
assert torch.equal(other.a.weight.cpu(), net.a.weight.cpu())
second = torch.optim.Adam(other.parameters(), lr=0.5)
second.load_state_dict(copy.deepcopy(optimizer.state_dict()))
assert second.param_groups[0]["lr"] == 0.01
assert {s["exp_avg"].device for s in second.state.values()} == {torch.device("cuda:1")}
train(net, optimizer, "cuda:0", 2)
train(other, second, "cuda:1", 2)
for p, q in zip(net.parameters(), other.parameters()):
    assert torch.allclose(p.cpu(), q.cpu(), atol=1e-5)
assert torch.allclose(net.b.running_var.cpu(), other.b.running_var.cpu(), atol=1e-5)
assert other.b.num_batches_tracked.item() == 5

taken = Net().double()
taken.load_state_dict(net.state_dict(), assign=True)
assert taken.a.weight.device == torch.device("cuda:0") and taken.scratch.device.type == "cpu"
partial = {k.removeprefix("module."): v for k, v in {"module.a.bias": torch.ones(6), "extra": torch.ones(1)}.items()}
result = other.load_state_dict(partial, strict=False)
assert result.unexpected_keys == ["extra"] and "a.weight" in result.missing_keys
assert other.a.bias.sum().item() == 6 and other.a.bias.is_cuda
