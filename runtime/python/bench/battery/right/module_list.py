# Layers in a ModuleList move with their module.
# runs
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


net = Net().to("cuda:1")
net(torch.randn(2, 4).to("cuda:1")).sum().backward()
assert {p.grad.device.index for p in net.parameters()} == {1}
