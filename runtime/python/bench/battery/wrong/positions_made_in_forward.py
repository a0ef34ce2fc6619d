# torch.arange() in forward() makes the positions on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA__index_select)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument index in method wrapper
import torch


class Embedder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.token = torch.nn.Embedding(10, 4)
        self.position = torch.nn.Embedding(16, 4)

    def forward(self, ids):
        positions = torch.arange(ids.size(1)).unsqueeze(0)
        return self.token(ids) + self.position(positions)  # raises


Embedder().cuda()(torch.randint(10, (2, 5), device="cuda"))
