# Only the layers of one class are asked for new noise, which they make on the CPU.
import torch
import torch.nn as nn


class NoisyLinear(nn.Linear):
    def __init__(self, inputs, outputs):
        super().__init__(inputs, outputs)
        self.sample_noise()

    def sample_noise(self):
        self.noise = torch.randn(self.out_features, self.in_features)

    def forward(self, x):
        return nn.functional.linear(x, self.weight + self.noise, self.bias)  # expect: device-mismatch


class Rainbow(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1))
        self.advantage, self.value = NoisyLinear(8, 3), NoisyLinear(8, 1)

    def forward(self, state):
        features = self.features(state)
        return self.value(features) + self.advantage(features)

    def reset_noise(self):
        for module in self.modules():
            if isinstance(module, NoisyLinear):
                module.sample_noise()


net = Rainbow().cuda()
net.reset_noise()
net(torch.rand(6, 4).cuda())
