# Of lists that are made of others, each element is where it was: only those that were moved are
# used, and those of which it is not known where they are in the list are asked first.
import functools
import itertools
import random

import torch
import torch.nn as nn

net = nn.Linear(4, 4).cuda()
host, moved = torch.rand(2, 4), torch.rand(2, 4).cuda()

net(([host] + [moved])[1])
net(([moved] * 3)[2])
net([host, moved][::-1][0])
net([host, host, moved][-1:][0])
net([moved, host, moved, host][::2][1])
net([*[host], moved][1])
net(sum([[host], [moved]], [])[1])
net(sum([moved, moved]))
net(functools.reduce(lambda a, b: a.cuda() + b.cuda(), [host, moved]))
net(max([host, moved], key=lambda each: each.is_cuda))
net(list(map(lambda each: each.cuda(), [host, moved]))[0])
for each in filter(lambda one: one.is_cuda, [host, moved]):
    net(each)
for each in itertools.chain([moved], [moved]):
    net(each)
for kept, other in itertools.product([moved], [host, moved]):
    net(kept)
several = [host, moved]
random.shuffle(several)
net(next(each for each in several if each.is_cuda))
net(sorted([host, moved], key=lambda each: not each.is_cuda)[0])
more = [host] * 2
more += [moved]
net(more[-1])
*rest, last = [host, host, moved]
net(last)
inputs, targets = zip(*[(host, moved), (host, moved)])
net(torch.cat(targets))
first, second = nn.Linear(4, 4), nn.Linear(4, 4)
parameters = list(first.parameters()) + list(second.parameters())
first.cuda()
second.cuda()
nn.functional.linear(moved, parameters[0])
half = nn.Linear(4, 4)
mixed = [*net.parameters(), *half.parameters()]
nn.functional.linear(moved, mixed[0])
nn.functional.linear(host, mixed[2])
