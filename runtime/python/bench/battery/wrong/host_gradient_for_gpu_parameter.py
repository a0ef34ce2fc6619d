# Gradients accumulated in host memory are put back on GPU parameters without a copy to the GPU.
# raises: RuntimeError: attempting to assign a gradient with device type 'cpu' to a tensor with device type 'cuda'. Please ensure that the gradient and the tensor are on the same device
import torch
from torch import nn


class HostAccumulator:
    """Sums gradients in host memory to save space on the GPU."""

    def __init__(self, parameters):
        self.parameters = list(parameters)
        self.sums = [torch.zeros(p.shape) for p in self.parameters]

    def collect(self):
        for total, p in zip(self.sums, self.parameters):
            total += p.grad.cpu()
            p.grad = None

    def release(self, count):
        for total, p in zip(self.sums, self.parameters):
            p.grad = total / count  # raises
            total.zero_()


model = nn.Linear(7, 1).to("cuda:0")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulator = HostAccumulator(model.parameters())
for _ in range(4):
    model(torch.randn(5, 7, device="cuda:0")).square().mean().backward()
    accumulator.collect()
accumulator.release(4)
optimizer.step()
