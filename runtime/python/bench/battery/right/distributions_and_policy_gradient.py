# torch.distributions with parameters on the GPU and a small REINFORCE agent on vectorised environments.
# runs
import torch
import torch.distributions as D
import torch.nn as nn


def check_devices(device):
    make = lambda *v: torch.tensor(v, device=device)
    cases = {
        "normal": D.Normal(make(0.0, 1.0), make(1.0, 2.0)),
        "gamma": D.Gamma(make(2.0, 3.0), make(1.0, 1.0)),
        "beta": D.Beta(make(2.0, 3.0), make(1.5, 2.0)),
        "dirichlet": D.Dirichlet(make(1.0, 2.0, 3.0)),
        "poisson": D.Poisson(make(3.0, 0.5)),
        "bernoulli": D.Bernoulli(logits=make(0.3, -2.0)),
        "categorical": D.Categorical(logits=make(0.1, 0.5, -1.0)),
        "student": D.StudentT(make(4.0, 8.0)),
        "mvn": D.MultivariateNormal(make(0.0, 0.0), scale_tril=torch.eye(2, device=device)),
        "mixture": D.MixtureSameFamily(
            D.Categorical(logits=make(0.0, 0.0)), D.Normal(make(-2.0, 2.0), make(1.0, 1.0))
        ),
        "squashed": D.TransformedDistribution(D.Normal(make(0.0), make(1.0)), [D.TanhTransform(cache_size=1)]),
    }
    cpu = {
        "normal": D.Normal(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0])),
        "gamma": D.Gamma(torch.tensor([2.0, 3.0]), torch.tensor([1.0, 1.0])),
        "dirichlet": D.Dirichlet(torch.tensor([1.0, 2.0, 3.0])),
        "categorical": D.Categorical(logits=torch.tensor([0.1, 0.5, -1.0])),
    }
    for name, dist in cases.items():
        value = dist.sample((6,))
        logp = dist.log_prob(value)
        assert value.device == logp.device == torch.device(device), name
        assert logp.isfinite().all(), name
        if name in cpu:
            torch.testing.assert_close(logp.cpu(), cpu[name].log_prob(value.cpu()), rtol=1e-3, atol=1e-4)
    kl = D.kl_divergence(cases["normal"], D.Normal(make(0.0, 0.0), make(1.0, 1.0)))
    torch.testing.assert_close(kl[0].item(), 0.0)
    assert kl.device == torch.device(device) and kl[1] > 0
    loc = make(0.5).requires_grad_()
    D.Normal(loc, 1.0).rsample((100,)).sum().backward()
    torch.testing.assert_close(loc.grad, make(100.0))


class Corridor:
    """Many one-dimensional walks at once; reward for reaching +1."""

    def __init__(self, n, device):
        self.n, self.device = n, device

    def reset(self):
        self.position = torch.zeros(self.n, 1, device=self.device)
        return self.position

    def step(self, action):
        self.position = self.position + (action.float().unsqueeze(1) * 2 - 1) * 0.25
        return self.position, self.position.squeeze(1).clamp(-1, 1)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, s):
        return D.Categorical(logits=self.net(s))


def main():
    torch.manual_seed(0)
    for device in ("cuda:0", "cuda:1"):
        check_devices(device)
    device = torch.device("cuda:1")
    env, policy = Corridor(64, device), Policy().to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
    returns = []
    for _ in range(30):
        state, logps, rewards, entropy = env.reset(), [], [], 0.0
        for _ in range(4):
            dist = policy(state)
            action = dist.sample()
            state, reward = env.step(action)
            logps.append(dist.log_prob(action))
            entropy = entropy + dist.entropy().mean()
            rewards.append(reward)
        togo = torch.stack(rewards).flip(0).cumsum(0).flip(0)
        advantage = (togo - togo.mean(1, keepdim=True)) / (togo.std(1, keepdim=True) + 1e-6)
        loss = -(advantage * torch.stack(logps)).mean() - 0.001 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        returns.append(rewards[-1].mean().item())
    assert all(a.device == device for a in logps)
    assert sum(returns[-5:]) / 5 > sum(returns[:5]) / 5 + 0.2, returns
    print("mean final reward", returns[0], "->", returns[-1])


if __name__ == "__main__":
    main()
