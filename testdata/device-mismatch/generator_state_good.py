# The state of the generator is moved back to the CPU.
import torch
import torch.nn as nn

model = nn.Linear(3, 2).cuda()
torch.save({"model": model.state_dict(), "random": torch.get_rng_state()}, "run.pt")
checkpoint = torch.load("run.pt", map_location="cuda")
model.load_state_dict(checkpoint["model"])
torch.set_rng_state(checkpoint["random"].cpu())
