# Operators on lists take tensors of several GPUs.
# runs
import torch

xs = [torch.full((2,), i + 1.0, device=f"cuda:{i}") for i in range(2)]
ys = torch._foreach_mul(xs, 2.0)
assert [y.get_device() for y in ys] == [0, 1] and ys[1].tolist() == [4, 4]
torch._foreach_add_(xs, ys)
assert xs[1].tolist() == [6, 6]
