# A compiled model gives what the eager one gives, forward and backward, and follows new shapes.
# runs
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.value, self.gate = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.register_buffer("scale", torch.linspace(0.5, 1.5, dim))

    def forward(self, x):
        if x.dim() == 2:
            x = x.unsqueeze(1)
        return (self.value(x) * torch.sigmoid(self.gate(x)) * self.scale).mean(dim=1)


graphs = []


def counting_backend(module, example_inputs):
    graphs.append(len(list(module.graph.nodes)))
    return module.forward


torch.manual_seed(30)
model = Gated(6).to("cuda:0")
compiled = torch.compile(model, backend=counting_backend)
x = torch.randn(4, 6, device="cuda:0")
expected = model(x)
expected.square().sum().backward()
gradients = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
out = compiled(x)
out.square().sum().backward()
assert out.device == torch.device("cuda:0") and len(graphs) >= 1
assert torch.allclose(out, expected, atol=1e-5)
for p, g in zip(model.parameters(), gradients):
    assert torch.allclose(p.grad, g, atol=1e-4)
assert torch.allclose(compiled(x[:3]), model(x[:3]), atol=1e-5)
assert compiled(torch.randn(2, 5, 6, device="cuda:0")).shape == (2, 6)


@torch.compile(backend="aot_eager", fullgraph=True)
def smooth(x, weight):
    return torch.nn.functional.softplus(x @ weight).cumsum(dim=0)


w = torch.randn(6, 3, device="cuda:1", requires_grad=True)
y = smooth(x.to("cuda:1"), w)
assert y.device == torch.device("cuda:1")
y.sum().backward()
reference = w.detach().cpu().requires_grad_()
z = torch.nn.functional.softplus(x.cpu() @ reference).cumsum(dim=0)
z.sum().backward()
assert torch.allclose(y.detach().cpu(), z.detach(), atol=1e-4)
assert torch.allclose(w.grad.cpu(), reference.grad, atol=1e-3)
