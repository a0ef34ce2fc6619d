# scatter, replicate, parallel_apply and gather used one by one
# runs
import torch
import torch.nn as nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
x = torch.randn(7, 4)
ref = model(x)
ref.sum().backward()
want_grads = [p.grad.clone() for p in model.parameters()]
model.zero_grad(set_to_none=True)

model.to("cuda:0")
parts = scatter((x.to("cuda:0"), {"w": torch.arange(7.0)}, "name"), [0, 1])
assert len(parts) == 2
assert parts[0][0].shape == (4, 4) and parts[1][0].shape == (3, 4)
assert [p[0].device.index for p in parts] == [0, 1]
assert parts[1][1]["w"].tolist() == [4.0, 5.0, 6.0] and parts[1][1]["w"].device.index == 1
assert parts[0][2] == parts[1][2] == "name"

reps = replicate(model, [0, 1])
assert [r[0].weight.device.index for r in reps] == [0, 1]
outs = parallel_apply(reps, [(p[0],) for p in parts], devices=[0, 1])
assert [o.device.index for o in outs] == [0, 1]
y = gather(outs, 1)
assert y.device == torch.device("cuda:1") and y.shape == (7, 2)
assert torch.allclose(y.detach().cpu(), ref, atol=1e-3)
y.sum().backward()
for p, g in zip(model.parameters(), want_grads):
    assert p.grad.device == torch.device("cuda:0")
    assert torch.allclose(p.grad.cpu(), g, atol=1e-3)
on_cpu = gather([o.detach() for o in outs], "cpu")
assert on_cpu.device.type == "cpu" and torch.allclose(on_cpu, ref, atol=1e-3)
