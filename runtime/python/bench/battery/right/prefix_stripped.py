# A leading "module." is stripped from the keys of a wrapped checkpoint.
# runs
import torch
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.submodule = torch.nn.Linear(4, 2)


torch.save(torch.nn.DataParallel(Net().cuda()).state_dict(), "wrapped.pt")
state = torch.load("wrapped.pt", map_location="cpu")
stripped = {k[7:] if k.startswith("module.") else k: v for k, v in state.items()}
Net().load_state_dict(stripped)
consume_prefix_in_state_dict_if_present(state, "module.")
Net().load_state_dict(state)
