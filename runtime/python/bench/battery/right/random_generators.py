# Seeds, generators and saved random states of two GPUs repeat what they should and stay apart.
# runs
import torch
import torch.nn.functional as F


def draws(device, generator=None):
    return torch.cat([
        torch.rand(5, device=device, generator=generator),
        torch.randn(5, device=device, generator=generator),
        torch.randint(0, 100, (5,), device=device, generator=generator).float(),
        torch.randperm(5, device=device, generator=generator).float(),
        torch.empty(5, device=device).exponential_(generator=generator),
    ])


torch.manual_seed(42)
first = [draws("cuda:0"), draws("cuda:1")]
torch.manual_seed(42)
again = [draws("cuda:0"), draws("cuda:1")]
assert torch.equal(first[0], again[0]) and torch.equal(first[1], again[1])
assert torch.cuda.initial_seed() == 42

own = torch.Generator(device="cuda:1").manual_seed(7)
assert own.device == torch.device("cuda:1") and own.initial_seed() == 7
before = torch.cuda.get_rng_state(1)
a = draws("cuda:1", own)
assert torch.equal(torch.cuda.get_rng_state(1), before)
own.manual_seed(7)
assert torch.equal(draws("cuda:1", own), a)

state = own.get_state()
b = draws("cuda:1", own)
own.set_state(state)
assert torch.equal(draws("cuda:1", own), b) and not torch.equal(a, b)
assert state.dtype == torch.uint8 and state.device.type == "cpu"

states = torch.cuda.get_rng_state_all()
assert len(states) == 2
x = torch.ones(1000, device="cuda:0")
mask = F.dropout(x, 0.3)
torch.cuda.set_rng_state_all(states)
assert torch.equal(F.dropout(x, 0.3), mask)
assert 200 < (mask == 0).sum().item() < 400
with torch.random.fork_rng(devices=[0, 1]):
    torch.manual_seed(0)
    draws("cuda:0")
kept = torch.cuda.get_rng_state(0)
with torch.random.fork_rng(devices=[0]):
    draws("cuda:0")
assert torch.equal(torch.cuda.get_rng_state(0), kept)
