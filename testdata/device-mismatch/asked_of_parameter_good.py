# What is not known answers alike when it is asked twice.
import pickle

import torch


def spread(depth):
    grid = torch.zeros(4)
    if depth.is_cuda:
        grid = grid.cuda()
    if not depth.is_cuda:
        return torch.atan(grid) + grid.type(torch.FloatTensor)
    return torch.atan(grid) + grid.type(torch.cuda.FloatTensor)


for device in ("cpu", "cuda"):
    print(spread(pickle.loads(pickle.dumps(torch.rand(4, device=device)))))
