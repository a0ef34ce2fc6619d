# Samples of distributions are on the device of their parameters.
# runs
import torch
from torch.distributions import Categorical, Normal

normal = Normal(torch.zeros(3, device="cuda"), torch.ones(3, device="cuda"))
sample = normal.rsample()
assert sample.is_cuda and normal.log_prob(sample).is_cuda
action = Categorical(logits=torch.randn(4, 5, device="cuda")).sample()
assert action.is_cuda and action.max() < 5
torch.bernoulli(torch.full((3,), 0.5, device="cuda"))
assert torch.multinomial(torch.ones(4, device="cuda"), 4).sort().values.tolist() == [0, 1, 2, 3]
