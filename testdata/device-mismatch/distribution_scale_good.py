"""The scale is where the mean is, or a number."""
import torch
from torch import nn
from torch.distributions import Independent, Normal

device = torch.device("cuda")
net = nn.Linear(4, 2).to(device)
mean = net(torch.rand(8, 4, device=device))
actions = Normal(mean, torch.full((2,), 0.5, device=device))
print(actions.log_prob(actions.sample()).sum())
policy = Independent(Normal(mean, 0.5), 1)
print(policy.log_prob(policy.rsample()).sum())
