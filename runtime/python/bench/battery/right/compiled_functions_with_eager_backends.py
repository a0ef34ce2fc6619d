# torch.compile as a decorator with eager backends and a counting backend, on tensors of both cards.
# runs
import torch
import torch.nn as nn


class CountingBackend:
    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.graphs.append([n.target for n in gm.graph.nodes if n.op == "call_function"])
        return gm.forward


counter = CountingBackend()


@torch.compile(backend="eager", fullgraph=True)
def gelu_tanh(x):
    return 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x**3)))


@torch.compile(backend="aot_eager")
def huber(pred, target, delta=1.0):
    err = (pred - target).abs()
    return torch.where(err < delta, 0.5 * err**2, delta * (err - 0.5 * delta)).mean()


@torch.compile(backend=counter, dynamic=True)
def masked_mean(x, mask):
    weight = mask.to(x.dtype)
    return (x * weight).sum(-1) / weight.sum(-1).clamp(min=1)


def device_branch(x):
    if x.is_cuda:
        return x + x.device.index + 1
    return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 9), nn.Linear(9, 1)

    def forward(self, x):
        return self.b(gelu_tanh(self.a(x)))


def main():
    torch.manual_seed(0)
    for device in ("cuda:0", "cuda:1", "cpu"):
        x = torch.randn(4, 6, device=device)
        torch.testing.assert_close(gelu_tanh(x), nn.functional.gelu(x, approximate="tanh"), rtol=1e-4, atol=1e-5)
        assert gelu_tanh(x).device == torch.device(device)
        a = torch.randn(8, device=device, requires_grad=True)
        b = torch.randn(8, device=device) * 3
        loss = huber(a, b)
        torch.testing.assert_close(loss, nn.functional.huber_loss(a, b))
        (g,) = torch.autograd.grad(loss, a)
        torch.testing.assert_close(g, (a - b).clamp(-1, 1).detach() / 8)

    for n in (3, 5, 8):
        x = torch.randn(2, n, device="cuda")
        mask = torch.arange(n, device="cuda") < 2
        torch.testing.assert_close(masked_mean(x, mask), x[:, :2].mean(-1))
    assert counter.graphs and len(counter.graphs[0]) > 0

    compiled = torch.compile(device_branch, backend="eager")
    assert compiled(torch.zeros(2, device="cuda:0")).tolist() == [1.0, 1.0]
    assert compiled(torch.zeros(2, device="cuda:1")).tolist() == [2.0, 2.0]
    assert compiled(torch.zeros(2)).tolist() == [0.0, 0.0]

    net = Net().to("cuda:0")
    model = torch.compile(net, backend="aot_eager")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    x = torch.randn(32, 5, device="cuda:0")
    y = x[:, :1] * x[:, 1:2]
    losses = []
    for _ in range(12):
        optimizer.zero_grad()
        loss = huber(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert set(model.state_dict()) == {"_orig_mod." + k for k in net.state_dict()}
    torch.testing.assert_close(model(x), net(x))
    torch._dynamo.reset()
    print(losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
