# A tensor that is an attribute, not a buffer, stays behind when the module moves.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4)

    def forward(self, x):
        return x * self.scale  # raises


Scale().cuda()(torch.randn(2, 4, device="cuda"))
