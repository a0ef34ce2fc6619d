# The optimizer was not made for graphs: its step counters are on the CPU.
# needs: torch>=2.0
# raises: RuntimeError: Attempting CUDA graph capture of step() for an instance of Adam but
import torch

net = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.Adam(net.parameters())
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    net(torch.ones(1, 2, device="cuda")).sum().backward()
    optimizer.step()  # raises
