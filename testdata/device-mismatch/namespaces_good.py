# What such objects are given by their tables is theirs, too.
import argparse
import types

import torch
import torch.nn as nn

options = argparse.Namespace(**{"device": "cuda:0", "sizes": types.SimpleNamespace(hidden=4)})
net = nn.Linear(4, options.sizes.hidden).to(options.device)
batch = types.SimpleNamespace(inputs=torch.rand(2, 4), targets=torch.rand(2, 4))
for name, value in vars(batch).items():
    setattr(batch, name, value.to(options.device))
net(batch.inputs)
other = types.SimpleNamespace(inputs=torch.rand(2, 4))
vars(other)["inputs"] = torch.rand(2, 4).to(getattr(options, "device", "cpu"))
net(other.inputs)
other.__dict__.update(inputs=torch.rand(2, 4, device=options.device))
net(other.inputs)
if hasattr(options, "debug"):
    net(torch.rand(2, 4))
copied = types.SimpleNamespace(**vars(other))
net(copied.inputs)
