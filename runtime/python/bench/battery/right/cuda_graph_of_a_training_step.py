# A whole step is captured after some steps of warming up, and replayed on new data.
# needs: torch>=2.0
# runs
import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01, capturable=True)
batch, target = torch.randn(16, 4, device="cuda"), torch.randn(16, 1, device="cuda")


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.mse_loss(net(batch), target)
    loss.backward()
    optimizer.step()
    return loss


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
before = net[0].weight.clone()
with torch.cuda.graph(graph):
    loss = step()
assert torch.equal(net[0].weight, before)
losses = []
for _ in range(20):
    graph.replay()
    losses.append(loss.item())
assert losses[-1] < losses[0]
