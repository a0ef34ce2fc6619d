# The name of a device, made of its number.
import os
import tempfile

import torch

gpu = 0
net = torch.nn.Linear(4, 2).cuda(gpu)
path = os.path.join(tempfile.gettempdir(), "placecheck_number_as_location.pt")
torch.save(net.state_dict(), path)
net.load_state_dict(torch.load(path, map_location=f"cuda:{gpu}"))
