# Tensor.apply_ runs a Python function per element and exists for CPU tensors only.
# raises: TypeError: apply_ is only implemented on CPU tensors
import math

import torch
import torch.nn as nn


class TemperatureSchedule:
    def __init__(self, start, end, steps):
        self.start, self.end, self.steps = start, end, steps

    def __call__(self, step):
        mix = min(step / self.steps, 1.0)
        return self.start * (1 - mix) + self.end * mix


def symlog(value):
    return math.copysign(math.log1p(abs(value)), value)


class RewardTransform:
    """Squashes a batch of returns with any scalar function."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, rewards):
        return rewards.clone().apply_(self.fn)  # raises


class Bandit:
    def __init__(self, arms, device):
        g = torch.Generator().manual_seed(9)
        self.means = (torch.randn(arms, generator=g) * 30).to(device)

    def pull(self, actions):
        return self.means[actions] + torch.randn(actions.shape, device=actions.device)


class Policy(nn.Module):
    def __init__(self, arms):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(arms))

    def sample(self, n, temperature):
        dist = torch.distributions.Categorical(logits=self.logits / temperature)
        actions = dist.sample((n,))
        return actions, dist.log_prob(actions)


def train(device, steps=5):
    torch.manual_seed(0)
    bandit = Bandit(6, device)
    policy = Policy(6).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)
    temperature = TemperatureSchedule(2.0, 0.5, steps)
    squash = RewardTransform(symlog)
    for step in range(steps):
        actions, log_prob = policy.sample(32, temperature(step))
        returns = squash(bandit.pull(actions))
        advantage = returns - returns.mean()
        loss = -(advantage * log_prob).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, returns.mean().item())


train(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
