# What falls out of a queue, or is drawn from a list of tensors on several devices, is not known.
import random
from collections import defaultdict, deque

import torch
import torch.nn as nn

net = nn.Linear(4, 4).cuda()
host, moved = torch.rand(2, 4), torch.rand(2, 4).cuda()

random.seed(0)
drawn = random.choice([host, moved])
net(drawn if drawn.is_cuda else drawn.cuda())
for each in random.sample([moved, moved, moved], 2):
    net(each)
recent = deque([host], maxlen=1)
recent.append(moved)
net(recent[0])
queue = deque([host, moved])
queue.popleft()
net(queue[0])
queue.appendleft(host)
net(queue.pop())
queue.appendleft(moved)
queue.rotate(1)
net(queue[0].cuda())
by_name = defaultdict(list)
by_name["host"].append(host)
by_name["moved"].append(moved)
net(by_name["moved"][0])
for name in by_name:
    if name == "moved":
        net(by_name[name][0])
stack = [host]
stack.insert(0, moved)
net(stack[0])
net(stack.pop(0))
counts = defaultdict(int)
for label in ["a", "b"]:
    counts[label] += 1
net(moved * counts["a"])
