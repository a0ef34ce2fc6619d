# Three ways to bring a data-parallel model's parameters into a bare one.
# runs
import torch


class FooNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linears = torch.nn.ModuleList(torch.nn.Linear(4, 4, bias=False) for _ in range(3))

    def forward(self, x):
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


trained = torch.nn.DataParallel(FooNet()).to("cuda")
torch.save(trained.module.state_dict(), "inner.pkl")
torch.save(trained.state_dict(), "wrapped.pkl")

FooNet().load_state_dict(torch.load("inner.pkl", map_location="cpu"))
torch.nn.DataParallel(FooNet()).load_state_dict(torch.load("wrapped.pkl", map_location="cpu"))
state = torch.load("wrapped.pkl", map_location="cpu")
state = {k[7:] if k.startswith("module.") else k: v for k, v in state.items()}
net = FooNet()
net.load_state_dict(state)
assert torch.equal(net.linears[2].weight, trained.module.linears[2].weight.cpu())
