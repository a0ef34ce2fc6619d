# The expression matches anywhere, and its dot matches any letter.
import re

import torch
from torch import nn

net = nn.Module()
net.add_module("modules_", nn.Linear(2, 2))
state = nn.DataParallel(net.cuda()).state_dict()
state = {re.sub("module.", "", key): value for key, value in state.items()}  # expect-miss: prefix-strip-anywhere
net.load_state_dict(state)
