# A style-transfer image requires grad on the CPU and is then moved, so the optimizer gets a non-leaf tensor.
# raises: ValueError: can't optimize a non-leaf Tensor
import torch
from torch import nn


class GramLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.register_buffer("gram", self.matrix(target))

    @staticmethod
    def matrix(features):
        flat = features.flatten(1)
        return flat @ flat.t() / flat.numel()

    def forward(self, features):
        return (self.matrix(features) - self.gram).square().sum()


device = torch.device("cuda:0")
style = torch.rand(3, 12, 12, device=device)
criterion = GramLoss(style).to(device)
image = torch.rand(3, 12, 12, requires_grad=True).to(device)
optimizer = torch.optim.Adam([image], lr=0.05)  # raises
for _ in range(10):
    optimizer.zero_grad()
    loss = criterion(image)
    loss.backward()
    optimizer.step()
print(loss.item())
