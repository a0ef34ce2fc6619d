# A checkpoint with the CPU's random state is mapped to the GPU.
# raises: TypeError: RNG state must be a torch.ByteTensor
import torch

torch.save({"rng": torch.get_rng_state()}, "state.pt")
state = torch.load("state.pt", map_location="cuda:0")
torch.set_rng_state(state["rng"])  # raises
