# The noise that a forward adds is made on the CPU.
import torch
import torch.nn as nn


class NoisyMLP(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        h = self.fc(x)
        if self.training:
            noise = torch.randn(h.size(0), h.size(1))
            h = h + 0.1 * noise  # expect: hardcoded-device
        return torch.relu(h)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = NoisyMLP().to(device)
net.train()
net(torch.randn(4, 8).to(device)).sum().backward()
