# A model over two GPUs whose forward() does not carry the activations over.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cuda:1
# raises: RuntimeError: two devices, cuda:1 and cuda:0! (when checking argument for argument mat1 in method wrapper
import torch


class Split(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.front = torch.nn.Linear(4, 8).to("cuda:0")
        self.back = torch.nn.Linear(8, 2).to("cuda:1")

    def forward(self, x):
        x = torch.relu(self.front(x.to("cuda:0")))
        return self.back(x)  # raises


Split()(torch.randn(2, 4))
