# What may mix devices does: zero-dimensional CPU tensors, host index tensors, new_* and *_like factories.
# runs
import torch


class RunningLoss:
    """Mixes values from both GPUs and the host."""

    def __init__(self):
        self.total = torch.tensor(0.0)
        self.count = 0

    def add(self, value):
        self.total = self.total + value.detach().cpu()
        self.count += 1

    def mean(self):
        return (self.total / self.count).item()


x = torch.arange(6.0, device="cuda:1")
scale = torch.tensor(2.0)
y = x * scale + torch.tensor(1, dtype=torch.int64)
assert y.device == torch.device("cuda:1") and y.dtype == torch.float32
assert (scale / (x + 1)).get_device() == 1
assert torch.where(x > scale, x, torch.tensor(-1.0)).tolist() == [-1, -1, -1, 3, 4, 5]
assert x.clamp(max=3).add_(scale).sub(torch.tensor(1.0, dtype=torch.float64)).dtype == torch.float32
assert torch.addcmul(x, x, x, value=0.5).tolist() == [0, 1.5, 4, 7.5, 12, 17.5]
assert torch.lerp(x, y, 0.5).get_device() == 1

rows = torch.tensor([4, 0, 2])
assert x[rows].tolist() == [4, 0, 2] and x[rows].get_device() == 1
table = x.view(2, 3).clone()
assert table[torch.tensor([1, 0]), torch.tensor([0, 2])].tolist() == [3, 2]
table[torch.tensor([0, 1]), 1] = torch.tensor([10.0, 20.0], device="cuda:1")
table[torch.tensor([True, False])] = scale
assert table.tolist() == [[2, 2, 2], [3, 20, 5]]
x[rows] = 9.0
x[torch.tensor(5)] = torch.tensor(7.0)
assert x.tolist() == [9, 1, 9, 3, 9, 7]
host = torch.zeros(4)
host[1:3] = x[:2]
host[3] = x[5]
assert host.tolist() == [0, 9, 1, 7] and host.device.type == "cpu"
assert x[int(rows[1])].item() == 9 and float(x.max()) == 9.0 and x.max().item() in [9.0]

made = [x.new_zeros(2), x.new_tensor([1.0]), x.new_full((2,), 3), x.new_empty(1), torch.zeros_like(x), torch.rand_like(x)]
assert {t.device for t in made} == {torch.device("cuda:1")}
assert x.new_ones(2, device="cuda:0", dtype=torch.int32).type() == "torch.cuda.IntTensor"
assert torch.full_like(host, 1, device="cuda:0").get_device() == 0
assert torch.stack([torch.tensor(float(v), device="cuda:0") for v in range(3)]).sum().item() == 3
assert torch.tensor([v.item() for v in x.unbind()]).device.type == "cpu"
meter = RunningLoss()
for device in ("cuda:0", "cuda:1", "cpu"):
    meter.add(torch.tensor(3.0, device=device, requires_grad=True) * 2)
assert meter.mean() == 6.0
assert [i for i, v in enumerate(x > 8) if v] == [0, 2, 4] and bool((x > 0).all())
