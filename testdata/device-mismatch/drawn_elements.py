# What is drawn from lists, queues and tables that fill themselves is where it was put there.
import random
from collections import defaultdict, deque

import torch
import torch.nn as nn

net = nn.Linear(4, 4).cuda()
batch = torch.rand(2, 4)


errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


refused(lambda: net(random.choice([batch, batch])))  # expect: device-mismatch
for each in random.sample([batch, batch, batch], 2):
    refused(lambda one=each: net(one))  # expect: device-mismatch
shuffled = [batch, batch]
random.shuffle(shuffled)
refused(lambda: net(shuffled[0]))  # expect: device-mismatch
recent = deque(maxlen=3)
for _ in range(8):
    recent.append(torch.rand(2, 4))
refused(lambda: net(recent[-1]))  # expect: device-mismatch
refused(lambda: net(recent.popleft()))  # expect: device-mismatch
recent.appendleft(batch)
recent.extend([batch])
for each in recent:
    refused(lambda one=each: net(one))  # expect: device-mismatch
by_label = defaultdict(list)
for label in range(4):
    by_label[label % 2].append(torch.rand(4))
for label, examples in by_label.items():
    refused(lambda given=examples: net(torch.stack(given)))  # expect: device-mismatch
assert len(errors) == 11, errors
queue = [batch]
queue.insert(0, torch.rand(2, 4))
net(queue.pop(0))  # expect: device-mismatch
