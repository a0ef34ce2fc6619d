# The keys are compared as sets with those of the module before they are changed.
import torch
from torch import nn

PREFIX = "module."


def is_wrapped(state, names):
    return set(state) == {PREFIX + name for name in names}


def fitted(state, model):
    names = model.state_dict().keys()
    if set(state) == set(names):
        return state
    if is_wrapped(state, names):
        return {key[len(PREFIX):]: value for key, value in state.items()}
    return {PREFIX + key: value for key, value in state.items()}


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.Linear(4, 4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(self.module(x))


wrapped = nn.DataParallel(Gated().cuda())
torch.save(wrapped.state_dict(), "compared_keys.pt")
bare = Gated().cuda()
bare.load_state_dict(fitted(torch.load("compared_keys.pt"), bare))
torch.save(bare.state_dict(), "compared_keys_bare.pt")
again = nn.DataParallel(Gated().cuda())
again.load_state_dict(fitted(torch.load("compared_keys_bare.pt"), again))
