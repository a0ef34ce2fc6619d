# The current GPU belongs to a thread: in another one .cuda() means cuda:0.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cuda:1
# raises: RuntimeError: two devices, cuda:1 and cuda:0! (when checking argument for argument mat1 in method wrapper
from concurrent.futures import ThreadPoolExecutor

import torch

torch.cuda.set_device(1)
net = torch.nn.Linear(4, 2).cuda()


def infer(x):
    return net(x.cuda())  # expect: device-mismatch  # raises


with ThreadPoolExecutor(1) as pool:
    pool.submit(infer, torch.randn(3, 4)).result()
