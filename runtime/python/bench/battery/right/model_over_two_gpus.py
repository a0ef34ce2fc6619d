# Activations are carried from GPU to GPU, gradients come back.
# runs
import torch


class Split(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.front = torch.nn.Linear(4, 8).to("cuda:0")
        self.back = torch.nn.Linear(8, 2).to("cuda:1")

    def forward(self, x):
        x = torch.relu(self.front(x.to("cuda:0")))
        return self.back(x.to("cuda:1"))


net = Split()
optimizer = torch.optim.Adam(net.parameters())
loss = torch.nn.functional.mse_loss(net(torch.randn(6, 4)), torch.zeros(6, 2, device="cuda:1"))
loss.backward()
optimizer.step()
assert net.front.weight.grad.device.index == 0 and net.back.weight.grad.device.index == 1
