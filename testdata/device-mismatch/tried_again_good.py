# What is not where the model is, is moved when that is found out.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return torch.relu(self.fc(x))


def predict(net, x):
    try:
        return net(x)
    except RuntimeError as error:
        if "same device" not in str(error):
            raise
        return net(x.to(next(net.parameters()).device))


net = Net().to("cuda")
print(predict(net, torch.rand(2, 4)).sum().item(), predict(net, torch.rand(2, 4).cuda()).sum().item())
