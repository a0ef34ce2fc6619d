# A table that does not name the device leaves it as it was.
import os
import tempfile

import torch

net = torch.nn.Linear(4, 2).to("cuda:0")
path = os.path.join(tempfile.gettempdir(), "placecheck_table_of_locations.pt")
torch.save(net.state_dict(), path)
stored = torch.load(path, map_location={"cuda:1": "cuda:0"})
mean = {name: (value + stored[name]) / 2 for name, value in net.state_dict().items()}
