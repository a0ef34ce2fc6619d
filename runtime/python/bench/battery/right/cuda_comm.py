# torch.cuda.comm: broadcast, coalesced broadcast, scatter with chunk sizes, reduce_add and gather
# runs
import torch
from torch.cuda import comm

t = torch.arange(6.0, device="cuda:0").view(2, 3)
a, b = comm.broadcast(t, devices=[0, 1])
assert a.device.index == 0 and b.device.index == 1
assert torch.equal(a.cpu(), b.cpu())

params = [torch.randn(3, 3, device="cuda:0"), torch.randn(5, device="cuda:0")]
copies = comm.broadcast_coalesced(params, devices=[0, 1])
assert len(copies) == 2 and len(copies[1]) == 2
for p, q in zip(params, copies[1]):
    assert q.device.index == 1 and torch.equal(p.cpu(), q.cpu())

x = torch.arange(12.0).view(6, 2)
left, right = comm.scatter(x, devices=[1, 0], chunk_sizes=[4, 2])
assert left.device.index == 1 and left.shape == (4, 2)
assert right.device.index == 0 and right.tolist() == [[8.0, 9.0], [10.0, 11.0]]

s = comm.reduce_add([torch.ones(4, device="cuda:0"), torch.full((4,), 2.0, device="cuda:1")], destination=1)
assert s.device.index == 1 and s.tolist() == [3.0] * 4
grads = [
    [torch.ones(2, device="cuda:0"), torch.zeros(3, device="cuda:0")],
    [torch.ones(2, device="cuda:1") * 4, torch.ones(3, device="cuda:1")],
]
r = comm.reduce_add_coalesced(grads, destination=0)
assert [g.tolist() for g in r] == [[5.0, 5.0], [1.0, 1.0, 1.0]] and all(g.device.index == 0 for g in r)

whole = comm.gather([left, right], dim=0, destination=0)
assert whole.device.index == 0 and torch.equal(whole.cpu(), x)
out = torch.empty(6, 2, device="cuda:1")
comm.gather([left, right], out=out)
assert torch.equal(out.cpu(), x)
back = comm.gather([left, right], dim=0, destination="cpu")
assert back.device.type == "cpu" and torch.equal(back, x)
