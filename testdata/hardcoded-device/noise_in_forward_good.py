# The noise that a forward adds is made like its input.
import torch
import torch.nn as nn


class NoisyMLP(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        h = self.fc(x)
        if self.training:
            noise = torch.randn_like(h)
            h = h + 0.1 * noise
        return torch.relu(h)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = NoisyMLP().to(device)
net.train()
net(torch.randn(4, 8).to(device)).sum().backward()
