"""What is asked twice in the same words has the same answer, whatever is asked and of what."""
import os
import platform
import sys
from os.path import *

import torch
import torch.distributed as dist
from torch import nn


def by_arguments():
    model = nn.Linear(2, 2)
    if len(sys.argv) > 7:
        model = model.cuda()
    batch = torch.ones(2, 2)
    if len(sys.argv) > 7:
        batch = batch.cuda()
    return model(batch)


def by_text():
    total = torch.zeros(2)
    for _ in range(3):
        part = torch.ones(2)
        if platform.machine() == "gpu":
            total = total.cuda()
            part = part.cuda()
        total += part
    return total


def by_key():
    settings = dict(os.environ)
    model = nn.Linear(2, 2)
    if "TRAIN_ON_GPU" in settings:
        model = model.cuda()
    batch = torch.ones(2, 2)
    if "TRAIN_ON_GPU" in settings:
        batch = batch.cuda()
    return model(batch)


def by_imported_name():
    model = nn.Linear(2, 2)
    if curdir == "gpu":
        model = model.cuda()
    batch = torch.ones(2, 2)
    if curdir == "gpu":
        batch = batch.cuda()
    return model(batch)


def placed(values):
    if platform.machine() == "gpu" or dist.is_initialized():
        return torch.tensor(values, device="cuda")
    return torch.tensor(values)


def share_equal(output, target):
    with torch.inference_mode():
        return output.eq(target).float().mean()


def by_helper():
    output = placed([1, 2])
    target = placed([1, 2])
    return share_equal(output, target)


by_arguments()
by_text()
by_key()
by_imported_name()
by_helper()
