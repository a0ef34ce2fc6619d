# a pipeline by hand: two stages on two GPUs, micro batches, gradients as on the CPU
# runs
import torch
import torch.nn as nn


class Pipeline(nn.Module):
    def __init__(self, micro):
        super().__init__()
        self.micro = micro
        self.first = nn.Sequential(nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.second = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 5))

    def place(self):
        self.first.to("cuda:0")
        self.second.to("cuda:1")
        return self

    def forward(self, x):
        outs, prev = [], None
        for part in x.chunk(self.micro):
            h = self.first(part).to("cuda:1", non_blocking=True)
            if prev is not None:
                outs.append(self.second(prev))
            prev = h
        outs.append(self.second(prev))
        return torch.cat(outs)


torch.manual_seed(0)
cpu = nn.Sequential(
    nn.Linear(12, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 5)
)
pipe = Pipeline(micro=4)
pipe.first.load_state_dict(cpu[:4].state_dict())
pipe.second.load_state_dict({f"{int(k.split('.')[0]) - 4}.{k.split('.')[1]}": v for k, v in cpu.state_dict().items() if int(k[0]) >= 4})
pipe.place()
x, y = torch.randn(32, 12), torch.randint(0, 5, (32,))
opt = torch.optim.SGD(pipe.parameters(), lr=0.5)
ref = torch.optim.SGD(cpu.parameters(), lr=0.5)
for _ in range(3):
    opt.zero_grad()
    out = pipe(x.to("cuda:0"))
    assert out.device == torch.device("cuda:1") and out.shape == (32, 5)
    loss = nn.functional.cross_entropy(out, y.to("cuda:1"))
    loss.backward()
    opt.step()
    ref.zero_grad()
    want = nn.functional.cross_entropy(cpu(x), y)
    want.backward()
    ref.step()
    assert abs(loss.item() - want.item()) < 1e-3
got = [p for p in pipe.parameters()]
assert {p.device.index for p in got} == {0, 1}
assert all(p.grad.device == p.device for p in got)
for p, q in zip(got, cpu.parameters()):
    assert torch.allclose(p.detach().cpu(), q, atol=1e-3)
