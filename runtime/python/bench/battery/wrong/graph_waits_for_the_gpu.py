# A loss is read while a graph is captured.
# raises: RuntimeError: CUDA error: operation not permitted when stream is capturing
# raises: RuntimeError: CUDA error: operation failed due to a previous error during capture
import torch

x = torch.ones(3, device="cuda")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # raises
    print((x * 2).sum().item())  # raises
