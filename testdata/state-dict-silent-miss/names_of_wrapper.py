# The weights of the module inside are looked up by the names of its wrapper.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


class AveragedWeights:
    def __init__(self, model):
        self.average = {name: p.detach().clone() for name, p in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for name, parameter in model.named_parameters():
            if name in self.average:  # expect: state-dict-silent-miss
                self.average[name].lerp_(parameter, 0.1)


def load_what_fits(model, path):
    source = torch.load(path, map_location="cpu")["model"]
    target = model.state_dict()
    target.update({k: v for k, v in source.items() if k in target})  # expect: state-dict-silent-miss
    model.load_state_dict(target)
    return model


class WeightsByName:
    def __init__(self, model):
        self.kept = {name: p.detach().clone() for name, p in model.named_parameters()}

    @torch.no_grad()
    def copy_into(self, model):
        for name, parameter in model.named_parameters():
            if name in self.kept:  # expect: state-dict-silent-miss
                parameter.copy_(self.kept[name])


net = Net().cuda()
averaged = AveragedWeights(net)
wrapped = nn.DataParallel(net)
averaged.update(wrapped)
torch.save({"model": wrapped.state_dict()}, "wrapped.pt")
load_what_fits(Net(), "wrapped.pt")
WeightsByName(wrapped).copy_into(Net())
