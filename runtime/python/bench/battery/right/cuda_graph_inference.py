# A model's forward pass is captured in a CUDA graph and replayed with new contents of its static input.
# runs
import torch
from torch import nn


class Graphed:
    def __init__(self, model, example):
        self.x = example.clone()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream), torch.no_grad():
            for _ in range(2):
                model(self.x)
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.no_grad(), torch.cuda.graph(self.graph):
            assert torch.cuda.is_current_stream_capturing()
            self.y = model(self.x)

    def __call__(self, x):
        n = x.size(0)
        self.x[:n].copy_(x)
        self.graph.replay()
        return self.y[:n].clone()


torch.manual_seed(31)
model = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3)).to("cuda:0").eval()
graphed = Graphed(model, torch.zeros(8, 6, device="cuda:0"))
assert not torch.cuda.is_current_stream_capturing()
pointer = graphed.y.data_ptr()
for n in (8, 3, 5):
    x = torch.randn(n, 6, device="cuda:0")
    with torch.no_grad():
        expected = model(x)
    got = graphed(x)
    assert got.shape == (n, 3) and got.device == torch.device("cuda:0")
    assert torch.allclose(got, expected, atol=1e-4)
assert graphed.y.data_ptr() == pointer

with torch.no_grad():
    model[3].bias.add_(10.0)
    x = torch.randn(8, 6, device="cuda:0")
    assert torch.allclose(graphed(x), model(x), atol=1e-4)
counter = torch.zeros(1, device="cuda:0")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    counter.add_(2)
before = counter.item()
for _ in range(5):
    graph.replay()
assert counter.item() - before == 10.0
