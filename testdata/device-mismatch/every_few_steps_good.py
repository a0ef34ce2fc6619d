# A replay buffer that is learned from at every fourth step.
import random
from collections import deque

import numpy as np
import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 1).to(device)
        self.memory = deque(maxlen=100)
        self.step_number = 0

    def step(self, *transition):
        self.memory.append(transition)
        self.step_number = (self.step_number + 1) % 4
        if self.step_number == 0 and len(self.memory) > 8:
            self.learn(random.sample(self.memory, k=8))

    def learn(self, transitions):
        states = torch.from_numpy(np.vstack([t[0] for t in transitions])).float().to(device)
        done = torch.from_numpy(np.vstack([t[1] for t in transitions]).astype(np.uint8)).float().to(device)
        values = self.net(states)
        print((values * (1 - done)).mean().item())


agent = Agent()
for _ in range(20):
    agent.step(np.random.randn(4), False)
