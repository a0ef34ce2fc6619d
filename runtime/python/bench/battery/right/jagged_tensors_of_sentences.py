# Jagged nested tensors on the GPU: construction, projections, pointwise maths, padding and gradients.
# runs
import torch
import torch.nn as nn


class JaggedEncoder(nn.Module):
    """Works on nested tensors of shape (batch, ragged length, width)."""

    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


def make_rows(lengths, width, device):
    g = torch.Generator().manual_seed(0)
    return [torch.randn(n, width, generator=g).to(device) for n in lengths]


def main():
    torch.manual_seed(0)
    device = torch.device("cuda:1")
    lengths = [3, 1, 5, 2]
    rows = make_rows(lengths, 4, device)
    nt = torch.nested.nested_tensor(rows, layout=torch.jagged)
    assert nt.is_nested and nt.layout == torch.jagged and nt.device == device
    assert nt.values().shape == (11, 4) and nt.offsets().tolist() == [0, 3, 4, 9, 11]
    assert nt.offsets().device == device and nt.size(0) == 4 and nt.size(2) == 4
    for a, b in zip(nt.unbind(), rows):
        assert torch.equal(a, b)

    padded = nt.to_padded_tensor(padding=-1.0)
    assert padded.shape == (4, 5, 4) and padded.device == device
    assert padded[1, 1:].eq(-1).all() and torch.equal(padded[2], rows[2])

    model = JaggedEncoder(4, 8).to(device)
    out = model(nt)
    assert out.is_nested and torch.equal(out.offsets(), nt.offsets())
    for a, b in zip(out.unbind(), rows):
        torch.testing.assert_close(a, model(b), rtol=1e-4, atol=1e-5)

    squashed = torch.tanh(nt * 2.0) + nt
    torch.testing.assert_close(squashed.values(), torch.tanh(nt.values() * 2.0) + nt.values())

    # from packed values and offsets, with a gradient into the values
    values = torch.cat(rows).requires_grad_()
    offsets = torch.tensor([0, 3, 4, 9, 11], device=device)
    view = torch.nested.nested_tensor_from_jagged(values, offsets=offsets)
    pooled = torch.stack([row.mean(0) for row in model(view).unbind()])
    assert pooled.shape == (4, 4)
    pooled.square().sum().backward()
    assert values.grad.shape == (11, 4) and values.grad.device == device
    reference = torch.cat(rows).requires_grad_()
    torch.stack([model(r).mean(0) for r in reference.split(lengths)]).square().sum().backward()
    torch.testing.assert_close(values.grad, reference.grad, rtol=1e-4, atol=1e-5)

    # the strided layout as well
    strided = torch.nested.nested_tensor(rows)
    assert strided.is_nested and strided.device == device and strided.size(0) == 4
    torch.testing.assert_close(strided.to_padded_tensor(0.0).sum((1, 2)), torch.stack([r.sum() for r in rows]))

    back = nt.to("cpu")
    assert back.device.type == "cpu" and back.offsets().device.type == "cpu"
    assert torch.equal(back.values(), nt.values().cpu())

    target = torch.randn(4, 4, device=device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(15):
        pooled = torch.stack([row.mean(0) for row in model(nt).unbind()])
        loss = nn.functional.mse_loss(pooled, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    print(losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
