# Segment sums, means, maxima and gathers as message passing uses them, compared with loops on the CPU.
# runs
import torch


def segment(values, index, count, how):
    out = torch.zeros(count, values.size(1), device=values.device, dtype=values.dtype)
    where = index.unsqueeze(1).expand_as(values)
    return out.scatter_reduce(0, where, values, reduce=how, include_self=False)


def by_hand(values, index, count, how):
    rows = []
    for i in range(count):
        part = values[index == i]
        if len(part) == 0:
            rows.append(torch.zeros(values.size(1), dtype=values.dtype))
        elif how == "sum":
            rows.append(part.sum(0))
        elif how == "mean":
            rows.append(part.mean(0))
        else:
            rows.append(part.amax(0))
    return torch.stack(rows)


torch.manual_seed(1)
values = torch.randn(40, 5, dtype=torch.float64)
index = torch.randint(0, 7, (40,))
on_gpu, index_gpu = values.to("cuda:1"), index.to("cuda:1")
for how in ("sum", "mean", "amax"):
    got = segment(on_gpu, index_gpu, 8, how)
    assert got.device == torch.device("cuda:1")
    assert torch.allclose(got.cpu(), by_hand(values, index, 8, how), atol=1e-9), how

added = torch.zeros(8, 5, dtype=torch.float64, device="cuda:1").index_add_(0, index_gpu, on_gpu)
assert torch.allclose(added.cpu(), by_hand(values, index, 8, "sum"), atol=1e-9)
picked = on_gpu.gather(1, index_gpu.remainder(5).unsqueeze(1))
assert torch.equal(picked.cpu(), values.gather(1, index.remainder(5).unsqueeze(1)))
onehot = torch.zeros(40, 7, device="cuda:1").scatter_(1, index_gpu.unsqueeze(1), 1.0)
assert torch.equal(onehot.sum(0).long().cpu(), torch.bincount(index, minlength=7))
taken = torch.take_along_dim(on_gpu, on_gpu.argsort(dim=0), dim=0)
assert torch.equal(taken.cpu(), values.sort(dim=0).values)
