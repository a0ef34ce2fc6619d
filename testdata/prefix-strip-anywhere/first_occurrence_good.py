# Of the keys of a wrapped module, the first "module." is the prefix.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.submodule = nn.Linear(4, 2)

    def forward(self, x):
        return self.submodule(x)


model = nn.DataParallel(Net()).cuda()
torch.save({k.replace("module.", "", 1): v for k, v in model.state_dict().items()}, "net.pth")
net = Net()
net.load_state_dict(torch.load("net.pth", map_location="cpu"))
