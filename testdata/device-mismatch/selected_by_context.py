"""Context managers that select a device for their block."""
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def on(index):
    previous = torch.cuda.current_device()
    torch.cuda.set_device(index)
    try:
        yield
    finally:
        torch.cuda.set_device(previous)


@contextlib.contextmanager
def within(index):
    with torch.cuda.device(index):
        yield index


def selected_by_number():
    with on(1):
        net = nn.Linear(2, 2).cuda()
    net(torch.ones(3, 2).cuda())  # expect: device-mismatch


def selected_by_guard():
    with within(1) as index:
        total = torch.zeros(2).cuda() + torch.ones(2, device=f"cuda:{index}")
    return total + torch.ones(2).cuda()  # expect: device-mismatch


def selected_by_tensor():
    tensor = torch.ones(2, device="cuda:1")
    with torch.cuda.device_of(tensor):
        scale = torch.ones(2).cuda()
    return scale * torch.ones(2).cuda()  # expect: device-mismatch


for each in (selected_by_number, selected_by_guard, selected_by_tensor):
    each()
