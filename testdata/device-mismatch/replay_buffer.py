# States come out of the replay buffer on the CPU; the next states are not moved.
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)


class Agent:
    def __init__(self):
        self.device = torch.device("cuda:0")
        self.policy_net = nn.Linear(4, 2).to(self.device)
        self.target_net = nn.Linear(4, 2).to(self.device)
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.memory = ReplayMemory(100)
        self.optimizer = torch.optim.RMSprop(self.policy_net.parameters())

    def optimize(self):
        batch = Transition(*zip(*self.memory.sample(4)))
        states = torch.cat(batch.state).to(self.device)
        actions = torch.cat(batch.action).to(self.device)
        rewards = torch.cat(batch.reward).to(self.device)
        next_states = torch.cat(batch.next_state)
        values = self.policy_net(states).gather(1, actions)
        next_values = self.target_net(next_states).max(1)[0].detach()  # expect: device-mismatch
        loss = F.smooth_l1_loss(values.squeeze(1), rewards + 0.9 * next_values)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for _ in range(8):
    agent.memory.push(torch.randn(1, 4), torch.randint(2, (1, 1)), torch.randn(1, 4), torch.randn(1))
agent.optimize()
