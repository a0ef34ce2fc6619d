# Ways to have the same prefix on both sides.
import torch
import torch.nn as nn


def unwrap(model):
    return model.module if isinstance(model, nn.DataParallel) else model


def strip(state_dict):
    if not next(iter(state_dict)).startswith("module."):
        return state_dict
    return {k[len("module."):]: v for k, v in state_dict.items()}


def build():
    return nn.Sequential(nn.Linear(4, 2), nn.BatchNorm1d(2))


parallel = nn.DataParallel(build()).cuda()
bare = build()
torch.save(parallel.state_dict(), "wrapped.pt")
torch.save(unwrap(parallel).state_dict(), "inner.pt")
torch.save((parallel.module if hasattr(parallel, "module") else parallel).state_dict(), "other.pt")

nn.DataParallel(build()).load_state_dict(torch.load("wrapped.pt"))
nn.DataParallel(build()).module.load_state_dict(torch.load("inner.pt"))
bare.load_state_dict(torch.load("other.pt", map_location="cpu"))
bare.load_state_dict(strip(torch.load("wrapped.pt", map_location="cpu")))
bare.load_state_dict(strip(torch.load("inner.pt", map_location="cpu")))
state = torch.load("wrapped.pt", map_location="cpu")
torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
bare.load_state_dict(state)
bare.load_state_dict({k.removeprefix("module."): v for k, v in torch.load("wrapped.pt").items()})
try:
    bare.load_state_dict(torch.load("wrapped.pt"))
except RuntimeError:
    bare.load_state_dict(strip(torch.load("wrapped.pt")))
