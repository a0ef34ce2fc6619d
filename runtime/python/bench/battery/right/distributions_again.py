# A policy head with categorical and normal distributions on the GPU: samples, log probabilities, divergences.
# runs
import copy

import torch
from torch import nn
from torch.distributions import Categorical, Independent, MultivariateNormal, Normal, kl_divergence


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.choice = nn.Linear(8, 3)
        self.mean = nn.Linear(8, 2)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def forward(self, state):
        h = torch.tanh(self.body(state))
        return Categorical(logits=self.choice(h)), Independent(Normal(self.mean(h), self.log_std.exp()), 1)


torch.manual_seed(10)
policy = Policy().to("cuda:0")
states = torch.randn(50, 4, device="cuda:0")
discrete, continuous = policy(states)
action = discrete.sample()
move = continuous.rsample()
assert action.shape == (50,) and action.dtype == torch.int64 and action.is_cuda
assert 0 <= action.min().item() and action.max().item() <= 2
assert move.shape == (50, 2) and move.device == states.device

log_prob = discrete.log_prob(action) + continuous.log_prob(move)
log_prob.mean().backward()
assert all(p.grad is not None and p.grad.is_cuda for p in policy.parameters())

twin = copy.deepcopy(policy).cpu()
d, c = twin(states.cpu())
expected = d.log_prob(action.cpu()) + c.log_prob(move.detach().cpu())
assert torch.allclose(log_prob.detach().cpu(), expected.detach(), atol=1e-4)
assert torch.allclose(discrete.entropy().detach().cpu(), d.entropy().detach(), atol=1e-4)
prior = Independent(Normal(torch.zeros(2, device="cuda:0"), 1.0), 1)
assert kl_divergence(continuous, prior).shape == (50,)
assert (kl_divergence(continuous, prior) >= 0).all()

cov = torch.tensor([[2.0, 0.6], [0.6, 1.0]], device="cuda:0")
many = MultivariateNormal(torch.zeros(2, device="cuda:0"), cov).sample((20000,))
assert torch.allclose(torch.cov(many.T), cov, atol=0.15)
