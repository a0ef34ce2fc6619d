"""The test asks for "module", and as many letters are cut off: the dot is left."""
from torch import nn


def strip(state):
    stripped = {}
    for key, value in state.items():
        name = key[6:] if key.startswith("module") else key  # expect: prefix-strip-anywhere
        stripped[name] = value
    return stripped


net = nn.Sequential(nn.Linear(3, 3))
net.load_state_dict(strip(nn.DataParallel(net).state_dict()))
