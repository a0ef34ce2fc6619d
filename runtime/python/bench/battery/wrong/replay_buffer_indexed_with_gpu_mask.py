# The replay buffer lies on the CPU and is filtered with a mask that the critic computed on the GPU.
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
from collections import namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "state action reward next_state done")


class ReplayBuffer:
    def __init__(self, capacity, state_dim):
        self.capacity = capacity
        self.data = Transition(
            torch.zeros(capacity, state_dim),
            torch.zeros(capacity, dtype=torch.long),
            torch.zeros(capacity),
            torch.zeros(capacity, state_dim),
            torch.zeros(capacity, dtype=torch.bool),
        )
        self.size = 0

    def push(self, *values):
        i = self.size % self.capacity
        for column, value in zip(self.data, values):
            column[i] = value
        self.size += 1

    def __len__(self):
        return min(self.size, self.capacity)

    def all(self):
        return Transition(*(c[: len(self)] for c in self.data))

    def select(self, mask):
        return Transition(*(c[mask] for c in self.all()))  # raises


class QNet(nn.Module):
    def __init__(self, state_dim, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(state_dim, 16), nn.ReLU(), nn.Linear(16, actions))

    def forward(self, s):
        return self.body(s)


class Agent:
    def __init__(self, device, gamma=0.9):
        self.device, self.gamma = device, gamma
        self.q, self.target = QNet(3, 2).to(device), QNet(3, 2).to(device)
        self.target.load_state_dict(self.q.state_dict())
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=1e-2)

    def td_error(self, batch):
        batch = Transition(*(c.to(self.device) for c in batch))
        q = self.q(batch.state).gather(1, batch.action[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.target(batch.next_state).max(1).values
        goal = batch.reward + self.gamma * best * ~batch.done
        return q - goal

    def learn(self, buffer):
        """Trains on the half of the buffer with the largest TD error."""
        with torch.no_grad():
            error = self.td_error(buffer.all()).abs()
        hard = error >= error.median()
        loss = self.td_error(buffer.select(hard)).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    buffer = ReplayBuffer(64, 3)
    state = torch.zeros(3)
    for t in range(40):
        action = t % 2
        following = 0.9 * state + torch.randn(3) * 0.1 + (0.1 if action else -0.1)
        buffer.push(state, action, -following.norm(), following, t % 10 == 9)
        state = following
    agent = Agent(torch.device("cuda:0"))
    for _ in range(3):
        print(agent.learn(buffer))


main()
