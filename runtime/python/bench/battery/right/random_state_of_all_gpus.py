# Seeds and random states of every GPU are saved and restored.
# runs
import torch

torch.cuda.manual_seed_all(3)
states = torch.cuda.get_rng_state_all()
drawn = [torch.rand(3, device=f"cuda:{i}") for i in range(torch.cuda.device_count())]
torch.cuda.set_rng_state_all(states)
for i, before in enumerate(drawn):
    assert torch.equal(before, torch.rand(3, device=f"cuda:{i}"))
with torch.random.fork_rng(devices=[0]):
    torch.rand(1, device="cuda:0")
