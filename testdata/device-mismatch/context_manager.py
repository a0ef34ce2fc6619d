# A generator that is made a context manager hands over what it yields.
import contextlib

import torch


@contextlib.contextmanager
def chosen_device(index):
    yield torch.device("cuda", index)


with chosen_device(0) as device:
    net = torch.nn.Linear(4, 2).to(device)
    print(net(torch.rand(8, 4)).shape)  # expect: device-mismatch
