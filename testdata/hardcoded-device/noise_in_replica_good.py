# Noise on the device of the input.
import torch


class Noisy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        h = self.fc(x)
        if self.training:
            h = h + torch.randn(h.shape, device=h.device)
        return h


net = torch.nn.DataParallel(torch.nn.Sequential(*(Noisy() for _ in range(2))).to("cuda:0"), device_ids=[0, 1])
print(net(torch.rand(8, 4).to("cuda:0")).shape)
