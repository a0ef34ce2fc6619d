# Broadcast, scatter, gather and reduce between two GPUs.
# runs
import torch
from torch.cuda import comm

x = torch.arange(6.0, device="cuda:0").view(3, 2)
assert [t.get_device() for t in comm.broadcast(x, [0, 1])] == [0, 1]
parts = comm.scatter(x, [0, 1], [1, 2])
assert [len(t) for t in parts] == [1, 2] and torch.equal(comm.gather(parts, destination=0), x)
total = comm.reduce_add([x, x.to("cuda:1")], destination=1)
assert total.get_device() == 1 and total.sum().item() == 30
