# Mixed precision without scaling.
# runs
import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).cuda()
x = torch.randn(6, 4, device="cuda")
with torch.autocast("cuda", dtype=torch.bfloat16):
    output = net(x)
    assert output.dtype == torch.bfloat16
    loss = torch.nn.functional.cross_entropy(output, torch.zeros(6, dtype=torch.long).cuda())
assert loss.dtype == torch.float32
loss.backward()
assert net[0].weight.grad.dtype == torch.float32
