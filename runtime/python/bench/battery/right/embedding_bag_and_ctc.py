# Layers with kernels of their own on the GPU.
# runs
import torch
from torch import nn

bag = nn.EmbeddingBag(10, 4, mode="mean").cuda()
bag(torch.tensor([1, 2, 4, 5], device="cuda"), torch.tensor([0, 2], device="cuda")).sum().backward()
log = torch.randn(12, 2, 5, device="cuda").log_softmax(2).requires_grad_()
targets = torch.randint(1, 5, (2, 4), device="cuda")
loss = nn.CTCLoss()(log, targets, torch.tensor([12, 10]), torch.tensor([4, 3]))
loss.backward()
grid = torch.zeros(1, 3, 3, 2, device="cuda")
assert nn.functional.grid_sample(torch.ones(1, 1, 4, 4, device="cuda"), grid,
                                 align_corners=True).is_cuda
image = nn.functional.interpolate(torch.rand(1, 3, 4, 4, device="cuda"), scale_factor=2,
                                  mode="bilinear", align_corners=False)
assert image.shape[-1] == 8
