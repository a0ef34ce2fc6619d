# A tensor that is no buffer is shared by the replicas, and is on the first GPU.
# raises: RuntimeError: Caught RuntimeError in replica 1 on device 1. ... Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!
import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.scale = torch.ones(4, device="cuda:0")

    def forward(self, x):
        return self.fc(x) * self.scale


net = torch.nn.DataParallel(Scale().cuda(), device_ids=[0, 1])
net(torch.randn(8, 4).cuda())  # raises
