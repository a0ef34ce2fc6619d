# Views of GPU tensors share their storage: slices, transposes, strides, expansions and reinterpretations.
# runs
import torch


def windows(x, size, step):
    count = (x.numel() - size) // step + 1
    return x.as_strided((count, size), (step * x.stride(0), x.stride(0)))


base = torch.arange(24, dtype=torch.float32, device="cuda:1")
grid = base.view(4, 6)
assert grid.data_ptr() == base.data_ptr() and grid._base is base
column = grid[:, 2]
column.fill_(-1)
assert base[2::6].tolist() == [-1, -1, -1, -1]
turned = grid.t()
assert turned.stride() == (1, 6) and not turned.is_contiguous()
assert turned.contiguous().data_ptr() != grid.data_ptr()
assert turned.is_set_to(grid.transpose(0, 1))
w = windows(base, 6, 3)
assert w.shape == (7, 6) and torch.equal(w.cpu(), base.cpu().unfold(0, 6, 3))
assert base.untyped_storage().nbytes() == 96
assert base.untyped_storage().device == torch.device("cuda:1")

wide = torch.tensor([[1.0], [2.0]], device="cuda:1").expand(2, 3)
assert wide.stride() == (1, 0)
bits = torch.ones(2, device="cuda:1").view(torch.int32)
assert bits.tolist() == [0x3F800000] * 2
pairs = torch.arange(4.0, device="cuda:1").view(2, 2)
numbers = torch.view_as_complex(pairs)
numbers.mul_(1j)
assert torch.equal(pairs.cpu(), torch.tensor([[-1.0, 0.0], [-3.0, 2.0]]))
a, b = base.chunk(2)
b.zero_()
assert base[12:].abs().sum().item() == 0 and a.storage_offset() == 0 and b.storage_offset() == 12
images = torch.rand(2, 3, 4, 4, device="cuda:1").to(memory_format=torch.channels_last)
assert images.is_contiguous(memory_format=torch.channels_last)
assert images.permute(0, 2, 3, 1).is_contiguous()

leaf = torch.ones(3, 3, device="cuda:1", requires_grad=True)
(leaf.diagonal().sum() + leaf[0].unbind()[1] * 5).backward()
expected = torch.eye(3)
expected[0, 1] = 5
assert torch.equal(leaf.grad.cpu(), expected)
moved = base.to("cuda:0")
moved.zero_()
assert base[3].item() == 3.0
