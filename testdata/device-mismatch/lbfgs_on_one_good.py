# LBFGS on one GPU: it puts the gradients of all parameters into one tensor.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4).to("cuda:0")
        self.second = nn.Linear(4, 1).to("cuda:0")

    def forward(self, x):
        return self.second(self.first(x.to("cuda:0")).to("cuda:0"))


net = Net()
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.1)
x = torch.rand(8, 4)


def closure():
    optimizer.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    return loss


optimizer.step(closure)
