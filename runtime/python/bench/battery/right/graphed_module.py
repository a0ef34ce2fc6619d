# make_graphed_callables: forward and backward passes are replayed.
# runs
import torch

layer = torch.nn.Linear(3, 2).cuda()
sample = torch.randn(4, 3, device="cuda", requires_grad=True)
graphed = torch.cuda.make_graphed_callables(layer, (sample,))
batch = torch.ones(4, 3, device="cuda", requires_grad=True)
graphed(batch).sum().backward()
assert torch.allclose(layer.weight.grad, torch.full((2, 3), 4.0, device="cuda"))
assert batch.grad.shape == (4, 3)
