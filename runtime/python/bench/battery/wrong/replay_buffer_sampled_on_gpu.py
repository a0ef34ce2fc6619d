# A replay buffer kept in host memory is indexed with positions drawn on the GPU.
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
import torch
from torch import nn


class ReplayBuffer:
    def __init__(self, capacity, state_dim):
        self.states = torch.zeros(capacity, state_dim)
        self.rewards = torch.zeros(capacity)
        self.size = 0

    def push(self, state, reward):
        self.states[self.size] = state
        self.rewards[self.size] = reward
        self.size += 1

    def sample(self, n, device):
        picks = torch.randint(self.size, (n,), device=device)
        states = self.states[picks]  # raises
        return states.to(device), self.rewards[picks].to(device)


device = torch.device("cuda:0")
buffer = ReplayBuffer(100, 4)
value = nn.Linear(4, 1).to(device)
for i in range(30):
    buffer.push(torch.randn(4), float(i))
states, rewards = buffer.sample(16, device)
print(nn.functional.smooth_l1_loss(value(states).squeeze(1), rewards).item())
