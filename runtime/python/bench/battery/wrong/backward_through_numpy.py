# A custom function computes its gradient in numpy and returns it in host memory.
# raises: RuntimeError: Function SoftThresholdBackward returned an invalid gradient at index 0 - expected device cuda:0 but got cpu
import numpy as np
import torch
from torch import nn


class SoftThreshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, level):
        ctx.save_for_backward(x)
        ctx.level = level
        return torch.sign(x) * (x.abs() - level).clamp_min(0)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        passed = np.abs(x.cpu().numpy()) > ctx.level
        return torch.from_numpy(grad.cpu().numpy() * passed), None


class SparseCoder(nn.Module):
    def __init__(self, dim, atoms):
        super().__init__()
        self.encoder = nn.Linear(dim, atoms)
        self.dictionary = nn.Linear(atoms, dim, bias=False)

    def forward(self, x):
        return self.dictionary(SoftThreshold.apply(self.encoder(x), 0.1))


torch.manual_seed(0)
model = SparseCoder(6, 10).to("cuda:0")
x = torch.randn(8, 6, device="cuda:0")
loss = nn.functional.mse_loss(model(x), x)
loss.backward()  # raises
print(loss.item(), model.encoder.weight.grad.norm().item())
