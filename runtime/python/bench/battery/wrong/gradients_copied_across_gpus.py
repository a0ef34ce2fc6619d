# averaging the gradients of two copies by hand: the mean from GPU 1 is assigned to the parameter on GPU 0
# raises: RuntimeError: attempting to assign a gradient located on device with index
import copy

import torch
import torch.nn as nn


def average(models):
    for ps in zip(*[m.parameters() for m in models]):
        mean = sum(p.grad.to(ps[-1].device) for p in ps) / len(ps)
        for p in ps:
            p.grad = mean  # raises


torch.manual_seed(0)
first = nn.Linear(5, 2).to("cuda:0")
second = copy.deepcopy(first).to("cuda:1")
opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (first, second)]
x = torch.randn(8, 5)
for m, part in zip((first, second), x.chunk(2)):
    m(part.to(m.weight.device)).pow(2).mean().backward()
average([first, second])  # raises
for o in opts:
    o.step()
