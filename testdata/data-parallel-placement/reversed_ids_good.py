# The model is on the first of the ids, whichever that is.
import torch
from torch import nn

ids = list(range(torch.cuda.device_count()))
for order in (ids, ids[::-1], list(reversed(ids)), sorted(ids, reverse=True)):
    net = nn.DataParallel(nn.Linear(4, 2).to(f"cuda:{order[0]}"), device_ids=order)
    net(torch.rand(8, 4).to(f"cuda:{order[0]}"))
    if order[0] != ids[0]:
        assert order[-1] == 0
