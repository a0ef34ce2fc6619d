# Replicas have no parameters() of their own.
# raises: StopIteration: Caught StopIteration in replica 0 on device 0.
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x.to(next(self.parameters()).device))


net = torch.nn.DataParallel(Net().cuda(), device_ids=[0, 1])
net(torch.randn(8, 4).cuda())  # raises
