# Selecting, sorting, counting on the GPU.
# runs
import torch

x = torch.tensor([[3.0, 1.0], [2.0, 5.0]], device="cuda")
assert x[x > 1.5].numel() == 3 and x.nonzero().shape == (4, 2)
assert x.sort(dim=1).values[0].tolist() == [1, 3] and x.topk(1).indices.flatten().tolist() == [0, 1]
labels = torch.tensor([0, 2, 2], device="cuda")
assert torch.bincount(labels).tolist() == [1, 0, 2] and labels.unique().is_cuda
assert torch.nn.functional.one_hot(labels, 3).sum().item() == 3
x.index_add_(0, torch.tensor([0], device="cuda"), torch.ones(1, 2, device="cuda"))
assert x[0].tolist() == [4, 2]
