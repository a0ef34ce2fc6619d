# An inference server replays a bucket's graph that was never captured.
# raises: RuntimeError: capture_end() must have been called before calling instantiate
# raises: RuntimeError: Called CUDAGraph::replay without a preceding successful capture.
import torch
from torch import nn


class Buckets:
    """One CUDA graph for each padded batch size."""

    def __init__(self, model, sizes, features):
        self.model = model
        self.inputs = {n: torch.zeros(n, features, device="cuda:0") for n in sizes}
        self.outputs = {n: torch.zeros(n, 2, device="cuda:0") for n in sizes}
        self.graphs = {n: torch.cuda.CUDAGraph() for n in sizes}

    def run(self, x):
        size = min(n for n in self.graphs if n >= x.size(0))
        self.inputs[size][: x.size(0)].copy_(x)
        self.graphs[size].replay()  # raises
        return self.outputs[size][: x.size(0)].clone()


model = nn.Linear(6, 2).to("cuda:0").eval()
buckets = Buckets(model, [2, 4, 8], 6)
print(buckets.run(torch.randn(3, 6, device="cuda:0")))
