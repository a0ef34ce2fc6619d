# Deterministic algorithms are required, and a floating point histogram is taken on the GPU.
# raises: RuntimeError: _histc_cuda with floating point input does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'.
import os

import torch
from torch import nn


def set_reproducible(seed):
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False


class CalibrationError:
    def __init__(self, bins):
        self.bins = bins

    def __call__(self, confidence, correct):
        total = torch.histc(confidence, bins=self.bins, min=0.0, max=1.0)  # raises
        right = torch.histc(confidence[correct], bins=self.bins, min=0.0, max=1.0)
        return (right / total.clamp_min(1)).sub(0.5).abs().mean()


set_reproducible(5)
head = nn.Linear(4, 3).to("cuda:0")
x = torch.randn(50, 4, device="cuda:0")
y = torch.randint(0, 3, (50,), device="cuda:0")
with torch.no_grad():
    confidence, predicted = head(x).softmax(dim=1).max(dim=1)
print(CalibrationError(10)(confidence, predicted == y).item())
