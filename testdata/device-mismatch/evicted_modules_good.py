# Of the modules on the GPU, the oldest ones go back to the CPU; in the end all do.
import argparse
from collections import OrderedDict

import torch
from torch import nn


class HotSet:
    def __init__(self, capacity):
        self.capacity = capacity
        self.resident = OrderedDict()

    def fetch(self, name, module):
        if name in self.resident:
            self.resident.move_to_end(name)
            return module
        while len(self.resident) >= self.capacity:
            _, oldest = self.resident.popitem(last=False)
            oldest.to("cpu")
        module.to("cuda:0")
        self.resident[name] = module
        return module

    def flush(self):
        while self.resident:
            _, module = self.resident.popitem()
            module.to("cpu")


parser = argparse.ArgumentParser()
parser.add_argument("--capacity", type=int, default=1)
args = parser.parse_args()
layers = nn.ModuleDict({f"layer{i}": nn.Linear(4, 4) for i in range(3)})
hot = HotSet(args.capacity)
x = torch.ones(2, 4).cuda()
for name, layer in layers.items():
    x = hot.fetch(name, layer)(x)
hot.flush()
x = x.cpu()
for layer in layers.values():
    x = layer(x)
