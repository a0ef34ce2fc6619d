# The forward makes its prior on the current GPU, the module is on the second.
import torch
import torch.nn as nn


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(10, 8)
        self.fc21 = nn.Linear(8, 3)
        self.fc22 = nn.Linear(8, 3)
        self.fc3 = nn.Linear(3, 10)

    def reparameterize(self, mu, logvar):
        std = logvar.mul(0.5).exp_()
        eps = torch.randn(std.size()).cuda()
        return eps * std + mu  # expect: hardcoded-device

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        mu, logvar = self.fc21(h), self.fc22(h)
        return torch.sigmoid(self.fc3(self.reparameterize(mu, logvar))), mu, logvar  # expect-false-alarm: hardcoded-device


model = VAE().to("cuda:1")
recon, mu, logvar = model(torch.rand(4, 10).to("cuda:1"))
