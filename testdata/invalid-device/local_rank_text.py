# The local rank is read from the environment, and stays a text.
import os

import torch

os.environ["LOCAL_RANK"] = "0"
local_rank = os.environ["LOCAL_RANK"]
torch.cuda.set_device(local_rank)  # expect: invalid-device
