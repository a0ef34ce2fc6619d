# Every occurrence of "module." is removed from the keys.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.submodule = nn.Linear(4, 2)

    def forward(self, x):
        return self.submodule(x)


model = nn.DataParallel(Net()).cuda()
torch.save(model.state_dict(), "net.pth")
state_dict = torch.load("net.pth", map_location="cpu")
state_dict = {k.replace("module.", ""): v for k, v in state_dict.items()}  # expect: prefix-strip-anywhere
net = Net()
net.load_state_dict(state_dict)
