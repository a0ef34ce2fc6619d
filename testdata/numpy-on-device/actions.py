# The agent's action is chosen on the GPU and given to an environment in numpy.
import numpy as np
import torch
import torch.nn as nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(3, 8)
        self.l2 = nn.Linear(8, 1)

    def forward(self, state):
        return torch.tanh(self.l2(torch.relu(self.l1(state))))


class TD3(object):
    def __init__(self, device):
        self.device = device
        self.actor = Actor().to(device)

    def select_action(self, state):
        state = torch.FloatTensor(state.reshape(1, -1)).to(self.device)
        return self.actor(state).data.numpy().flatten()  # expect: numpy-on-device


policy = TD3(torch.device("cuda:0"))
action = policy.select_action(np.zeros(3))
action = action + np.random.normal(0, 0.1, size=1)
