# Lists that are made of others hold what those held: tensors that nobody has moved.
import functools
import itertools

import torch
import torch.nn as nn

net = nn.Linear(4, 4).cuda()
batch = torch.rand(2, 4)


def batches():
    return [torch.rand(2, 4), torch.rand(2, 4)]


errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


refused(lambda: net(([batch] + [batch])[0]))  # expect: device-mismatch
refused(lambda: net((batches() * 2)[3]))  # expect: device-mismatch
refused(lambda: net((2 * [batch])[1]))  # expect: device-mismatch
refused(lambda: net(sum([[batch], batches()], [])[2]))  # expect: device-mismatch
refused(lambda: net(batches()[::-1][0]))  # expect: device-mismatch
refused(lambda: net([batch, batch, batch][::2][1]))  # expect: device-mismatch
refused(lambda: net([*batches(), batch][2]))  # expect: device-mismatch
refused(lambda: net(sum(batches())))  # expect: device-mismatch
refused(lambda: net(functools.reduce(lambda a, b: a + b, batches())))  # expect: device-mismatch
refused(lambda: net(max(batches(), key=lambda each: each.sum())))  # expect: device-mismatch
refused(lambda: net(list(map(lambda each: each * 2, batches()))[1]))  # expect: device-mismatch
for each in filter(lambda one: one.sum() > 0, batches()):
    refused(lambda one=each: net(one))  # expect: device-mismatch
for each in itertools.chain([batch], batches()):
    refused(lambda one=each: net(one))  # expect: device-mismatch
for each in itertools.chain.from_iterable([[batch], batches()]):
    refused(lambda one=each: net(one))  # expect: device-mismatch
more = [batch]
more += batches()
refused(lambda: net(more[1]))  # expect: device-mismatch
first, *rest = batches()
refused(lambda: net(rest[0]))  # expect: device-mismatch
inputs, targets = zip(*[(batch, batch), (batch, batch)])
refused(lambda: net(torch.cat(inputs)))  # expect: device-mismatch
frozen = nn.Linear(4, 4)
assert len(errors) == 22, errors
weights = list(frozen.parameters()) + list(nn.Linear(4, 4).parameters())
refused(lambda: nn.functional.linear(batch.cuda(), weights[0]))  # expect: device-mismatch
moved = [*frozen.parameters(), *nn.Linear(4, 4).parameters()]
nn.functional.linear(batch.cuda(), moved[0])  # expect: device-mismatch
