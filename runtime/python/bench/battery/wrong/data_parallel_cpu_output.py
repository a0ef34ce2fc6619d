# Each replica returns a tensor of the CPU, which cannot be gathered.
# raises: AssertionError: Gather function not implemented for CPU tensors
# raises: RuntimeError: Gather function not implemented for CPU tensors
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x).cpu()


net = torch.nn.DataParallel(Net().cuda(), device_ids=[0, 1])
net(torch.randn(8, 4).cuda())  # raises
