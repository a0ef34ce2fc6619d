# A scripted module was loaded for the CPU, and is given a batch of the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device
import io

import torch

buffer = io.BytesIO()
torch.jit.save(torch.jit.script(torch.nn.Linear(3, 2).cuda()), buffer)
buffer.seek(0)
net = torch.jit.load(buffer, map_location="cpu")
net(torch.ones(1, 3, device="cuda"))  # raises
