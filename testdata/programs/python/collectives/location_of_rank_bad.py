# A checkpoint is asked for on a number, which is no device for torch.load.
import os

import torch

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
state = torch.load("checkpoint.pt", map_location=local_rank)  # expect: invalid-device
