# Options and batches in objects that are nothing but their attributes.
import argparse
import types

import torch
import torch.nn as nn

options = argparse.Namespace(device="cuda:0", hidden=4)
net = nn.Linear(4, options.hidden).to(options.device)
batch = types.SimpleNamespace(inputs=torch.rand(2, 4), targets=torch.rand(2, 4))
errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


refused(lambda: net(batch.inputs))  # expect: device-mismatch
refused(lambda: net(vars(batch)["inputs"]))  # expect: device-mismatch
refused(lambda: net(batch.__dict__["targets"]))  # expect: device-mismatch
refused(lambda: net(getattr(batch, "inputs", None)))  # expect: device-mismatch
setattr(batch, "inputs", batch.inputs.to(options.device))
net(batch.inputs)
home = getattr(options, "home", "cpu")
refused(lambda: net(torch.rand(2, 4, device=home)))  # expect: device-mismatch
assert len(errors) == 5, errors
vars(batch).update(inputs=torch.rand(2, 4))
net(batch.inputs)  # expect: device-mismatch
