# All networks that the agent has by then are moved.
import copy

import torch
import torch.nn as nn


class Agent:
    def __init__(self, device):
        self.actor, self.critic = nn.Linear(4, 2), nn.Linear(4, 1)
        self.to(device)
        self.target = copy.deepcopy(self.critic)

    def to(self, device):
        self.device = torch.device(device)
        for name in ("actor", "critic", "target"):
            if hasattr(self, name):
                getattr(self, name).to(self.device)
        return self

    def act(self, state):
        state = torch.as_tensor(state, device=self.device)
        return self.actor(state).argmax(), self.critic(state) - self.target(state)


agent = Agent("cuda")
print(agent.act([0.0, 1.0, 2.0, 3.0]))
print(agent.to("cpu").act([0.0, 1.0, 2.0, 3.0]))
