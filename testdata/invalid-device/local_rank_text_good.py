# The local rank is read from the environment, and is made a number, or the end of a device's name.
import os

import torch

os.environ["LOCAL_RANK"] = "0"
local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
x = torch.zeros(2, device="cuda:" + os.environ["LOCAL_RANK"])
