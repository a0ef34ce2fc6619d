# DataParallel scatters dictionaries and keyword arguments, gathers tuples, and keeps the first replica's buffers.
# runs
import torch
from torch import nn
from torch.nn.parallel import data_parallel, gather, parallel_apply, replicate, scatter


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, batch, scale=1.0, offset=None):
        x = self.norm(batch["x"])
        y = self.fc(x) * scale
        if offset is not None:
            y = y + offset
        return {"y": y, "pair": (x, batch["ids"] + x.get_device()), "loss": y.mean()}


torch.manual_seed(25)
model = Model().to("cuda:0")
parallel = nn.DataParallel(model)
assert parallel.device_ids == [0, 1] and parallel.output_device == 0
x = torch.randn(10, 3)
out = parallel({"x": x, "ids": torch.zeros(10, dtype=torch.long)}, scale=2.0, offset=torch.ones(10, 1))
assert out["y"].shape == (10, 2) and out["y"].device == torch.device("cuda:0")
assert out["pair"][1].tolist() == [0] * 5 + [1] * 5
assert out["loss"].shape == (2,)
halves = x.chunk(2)
for part, got in zip(halves, out["pair"][0].detach().cpu().chunk(2)):
    expected = (part - part.mean(0)) / (part.var(0, unbiased=False) + 1e-5).sqrt()
    assert torch.allclose(got, expected, atol=1e-4)
assert torch.allclose(model.norm.running_mean.cpu(), 0.1 * halves[0].mean(0), atol=1e-5)
assert model.norm.num_batches_tracked.item() == 1
out["loss"].sum().backward()
assert model.fc.bias.grad.device == torch.device("cuda:0")
assert torch.allclose(model.fc.bias.grad.cpu(), torch.full((2,), 2.0), atol=1e-5)

model.eval()
with torch.no_grad():
    inputs = scatter(x.to("cuda:0"), [0, 1])
    assert [t.get_device() for t in inputs] == [0, 1]
    replicas = replicate(model.fc, [0, 1])
    assert replicas[1].weight.get_device() == 1
    outs = parallel_apply(replicas, inputs, devices=[0, 1])
    whole = gather(outs, 1)
    assert whole.get_device() == 1
    assert torch.allclose(whole.cpu(), model.fc(x.to("cuda:0")).cpu(), atol=1e-5)
    again = data_parallel(model.fc, x.to("cuda:0"), device_ids=[0, 1], output_device=1)
    assert torch.equal(again, whole)
