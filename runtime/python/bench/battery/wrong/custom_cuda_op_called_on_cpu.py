# A torch.library.custom_op registered for CUDA only is called from the CPU evaluation path.
# raises: NotImplementedError: Could not run 'tinylab::swish_scale' with arguments from the 'CPU' backend
import torch
import torch.nn as nn


@torch.library.custom_op("tinylab::swish_scale", mutates_args=(), device_types="cuda")
def swish_scale(x: torch.Tensor, beta: float) -> torch.Tensor:
    return x * torch.sigmoid(beta * x)


@swish_scale.register_fake
def _(x, beta):
    return torch.empty_like(x)


def _setup(ctx, inputs, output):
    x, beta = inputs
    ctx.save_for_backward(x)
    ctx.beta = beta


def _backward(ctx, grad):
    (x,) = ctx.saved_tensors
    s = torch.sigmoid(ctx.beta * x)
    return grad * (s + ctx.beta * x * s * (1 - s)), None


swish_scale.register_autograd(_backward, setup_context=_setup)


class Swish(nn.Module):
    def __init__(self, beta=1.5):
        super().__init__()
        self.beta = beta

    def forward(self, x):
        return swish_scale(x, self.beta)  # raises


def build_net():
    return nn.Sequential(nn.Linear(4, 12), Swish(), nn.Linear(12, 1))


def train(model, device, steps=20):
    g = torch.Generator().manual_seed(0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        x = torch.randn(32, 4, generator=g)
        y = x.prod(dim=1, keepdim=True)
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def export_for_serving(model, sample):
    """Serving runs on the CPU; check that the outputs stay finite."""
    model = model.cpu().eval()
    with torch.no_grad():
        out = model(sample)
    assert out.isfinite().all()
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    net = build_net().to("cuda:0")
    print("train loss", train(net, "cuda:0"))
    print("serving", export_for_serving(net, torch.zeros(2, 4)))
