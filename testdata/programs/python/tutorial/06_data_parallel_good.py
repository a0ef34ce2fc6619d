# FooNet on two GPUs: each replica sees half of the batch.
# runs
import torch

seen = []


class FooNet(torch.nn.Module):
    def __init__(self, neurons, layers):
        super().__init__()
        self.linears = torch.nn.ModuleList(
            torch.nn.Linear(neurons, 3 if i == layers - 1 else neurons, bias=False)
            for i in range(layers))

    def forward(self, x):
        seen.append((x.get_device(), len(x)))
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


net = FooNet(10, 3)
net = torch.nn.DataParallel(net, device_ids=[0, 1])
net.to("cuda")
outputs = net(torch.randn(16, 10).to("cuda"))
assert outputs.size() == (16, 3) and outputs.get_device() == 0
assert sorted(seen) == [(0, 8), (1, 8)]
outputs.sum().backward()
assert all(p.grad.get_device() == 0 for p in net.parameters())
