"""Context managers that select a device for their block, and put the other one back."""
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
        yield


@contextlib.contextmanager
def timed(label):
    print(label)
    yield
    print("done")


with on(1):
    net = nn.Linear(2, 2).cuda()
    net(torch.ones(3, 2).cuda())
images = torch.ones(3, 2, device="cuda:1")
net(images)

with within(1):
    noise = torch.zeros(3, 2).cuda()
images + noise

with torch.cuda.device_of(images):
    images + torch.zeros(3, 2).cuda()

first = torch.ones(2).cuda()
with timed("on the first GPU"):
    first + torch.ones(2).cuda()
with torch.cuda.device_of(torch.ones(2)):
    first + torch.ones(2).cuda()
first + torch.ones(2, device="cuda:0")
