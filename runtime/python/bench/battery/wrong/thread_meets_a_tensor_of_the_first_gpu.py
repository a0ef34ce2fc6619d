# A thread for each GPU, and a tensor that all share.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cuda:0!
from concurrent.futures import ThreadPoolExecutor

import torch

shared = torch.ones(3, device="cuda:0")


def work(i):
    torch.cuda.set_device(i)
    return torch.ones(3, device="cuda") + shared  # raises


with ThreadPoolExecutor(2) as pool:
    list(pool.map(work, [0, 1]))
