# LBFGS calls its closure, which reads the loss.
# runs
import torch

net = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5)
x = torch.randn(8, 3, device="cuda")


def closure():
    optimizer.zero_grad()
    loss = (net(x) - 1).square().mean()
    loss.backward()
    return loss


first = optimizer.step(closure).item()
assert optimizer.step(closure).item() <= first
