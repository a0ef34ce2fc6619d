# What is drawn of a distribution is where its parameters are, and so has to be what it is asked for.
import torch
from torch.distributions import Categorical, Independent, Normal, kl_divergence

policy = torch.nn.Linear(4, 2).cuda()
logits = policy(torch.rand(8, 4).cuda())

actions = Categorical(logits=logits).sample()
rewards = torch.rand(8)
try:
    loss = Categorical(logits=logits).log_prob(actions) * rewards  # expect: device-mismatch
except RuntimeError as error:
    print(error)
noise = Normal(0.0, 1.0).sample((8, 4))
policy(noise)  # expect: device-mismatch
