"""A distribution is made without its parameters being combined: what is drawn combines them."""
import torch
from torch import nn
from torch.distributions import Independent, Normal

device = torch.device("cuda")
net = nn.Linear(4, 2).to(device)
mean = net(torch.rand(8, 4, device=device))
actions = Normal(mean, torch.full((2,), 0.5))
print(actions.sample().shape)  # expect: device-mismatch
policy = Independent(Normal(mean, torch.full((2,), 0.5)), 1)
print(policy.rsample().shape)  # expect: device-mismatch
