# The expression is anchored.
import re

import torch
from torch import nn

net = nn.Module()
net.add_module("modules_", nn.Linear(2, 2))
state = nn.DataParallel(net.cuda()).state_dict()
state = {re.sub(r"^module\.", "", key): value for key, value in state.items()}
net.load_state_dict(state)
