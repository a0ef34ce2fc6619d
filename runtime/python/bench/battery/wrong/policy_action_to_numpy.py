# the action sampled on the GPU goes straight into a NumPy environment
# raises: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
import numpy as np
import torch
import torch.nn as nn


class PointEnv:
    def reset(self):
        self.pos = np.zeros(2, dtype=np.float32)
        return self.pos.copy()

    def step(self, action):
        self.pos = self.pos + np.clip(np.asarray(action), -1, 1)  # raises
        return self.pos.copy(), -float(np.abs(self.pos).sum())


torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2)).to("cuda:0")
env = PointEnv()
obs = env.reset()
rewards = []
for _ in range(5):
    with torch.no_grad():
        mean = policy(torch.as_tensor(obs, device="cuda:0"))
        action = torch.distributions.Normal(mean, 0.1).sample()
    obs, r = env.step(action)  # raises
    rewards.append(r)
