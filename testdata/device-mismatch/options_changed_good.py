# The program changes what a file has said.
import json

import torch
from torch import nn


class Options(dict):
    def __getattr__(self, name):
        return self[name]


def read():
    return Options(json.loads('{"on_cpu": true}'))


def run(model, on_cpu):
    images = torch.ones(1, 2)
    model(images if on_cpu else images.cuda())


options = read()
options.update(on_cpu=False)
model = nn.Linear(2, 2)
if not options.on_cpu:
    model.cuda()
model(torch.ones(1, 2).cuda())
options = read()
options["on_cpu"] = False
model = nn.Linear(2, 2)
if not options.on_cpu:
    model.cuda()
model(torch.ones(1, 2).cuda())
options = read()
for key in ["on_cpu"]:
    options[key] = False
model = nn.Linear(2, 2)
if not options.on_cpu:
    model.cuda()
model(torch.ones(1, 2).cuda())
options = read()
model = nn.Linear(2, 2) if options.on_cpu else nn.Linear(2, 2).cuda()
run(model, options.on_cpu)
