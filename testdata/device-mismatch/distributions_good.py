# Distributions, and what is put to them, on one GPU.
import torch
from torch.distributions import Categorical, Independent, Normal, kl_divergence

policy = torch.nn.Linear(4, 2).cuda()
logits = policy(torch.rand(8, 4).cuda())

actions = Categorical(logits=logits).sample()
loss = Categorical(logits=logits).log_prob(actions) * torch.rand(8, device="cuda")
prior = Normal(torch.zeros(8, 2).cuda(), torch.ones(8, 2).cuda())
posterior = Normal(logits, logits.exp())
print(kl_divergence(posterior, prior).mean().item())
print((Independent(posterior, 1).rsample() + prior.mean).sum().item())
policy(Normal(0.0, 1.0).sample((8, 4)).cuda())
print(Normal(0.0, 1.0).log_prob(torch.rand(3)).sum().item())
