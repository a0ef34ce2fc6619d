# The copy of an ordinary host batch is made part of a CUDA graph.
# raises: RuntimeError: Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU tensor is pinned.
import torch
from torch import nn


class GraphedModel:
    def __init__(self, model, example):
        self.model = model
        self.static_input = torch.zeros_like(example, device="cuda:0")
        self.graph = torch.cuda.CUDAGraph()
        self.static_output = None

    def warm_up(self):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side), torch.no_grad():
            for _ in range(3):
                self.model(self.static_input)
        torch.cuda.current_stream().wait_stream(side)

    def capture(self, batch):
        with torch.no_grad(), torch.cuda.graph(self.graph):
            self.static_input.copy_(batch)  # raises
            self.static_output = self.model(self.static_input)


model = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4)).to("cuda:0").eval()
batch = torch.randn(8, 16)
graphed = GraphedModel(model, batch)
graphed.warm_up()
graphed.capture(batch)
graphed.graph.replay()
print(graphed.static_output.sum().item())
