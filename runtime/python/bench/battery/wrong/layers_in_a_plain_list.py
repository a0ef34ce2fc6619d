# Layers in a Python list are no children of the module.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_addmm)
# raises: RuntimeError: two devices, cpu and cuda:0! (when checking argument for argument mat1 in method wrapper
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.rest = [torch.nn.Linear(4, 4) for _ in range(2)]

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x)  # raises
        return x


Net().cuda()(torch.randn(2, 4).cuda())
