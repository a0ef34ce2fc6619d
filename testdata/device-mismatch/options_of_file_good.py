# What the options say of the GPU is the same for the model, the batch and the weights.
import json

import torch
from torch import nn


class Options(dict):
    def __init__(self, entries=None):
        super().__init__({} if entries is None else entries)

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


def load(path):
    entries = {}
    with open(path) as file:
        for section in json.load(file).values():
            for key, value in section.items():
                entries[key] = value
    return Options(entries)


def make_model(options):
    if options.arch == "deep":
        model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    elif options.arch == "flat":
        model = nn.Sequential(nn.Linear(4, 2))
    else:
        raise ValueError("unknown architecture")
    if options.use_gpu:
        model = model.cuda()
    return model


with open("options.json", "w") as file:
    file.write('{"model": {"arch": "deep"}, "machine": {"use_gpu": true, "weighted": true}}')
options = load("options.json")
model = make_model(options)
images, labels = torch.randn(8, 4), torch.randint(0, 2, (8,))
if options.use_gpu:
    images, labels = images.cuda(), labels.cuda()
outputs = model(images)
if options.use_gpu and options.weighted:
    weights = torch.tensor([1.0, 3.0]).cuda()
    loss = nn.functional.cross_entropy(outputs, labels, weight=weights)
