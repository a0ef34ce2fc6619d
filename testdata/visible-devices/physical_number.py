# The number that makes the device visible is used again, as its index.
import os
import sys

GPU = int(sys.argv[1]) if len(sys.argv) > 1 else 1
os.environ["CUDA_VISIBLE_DEVICES"] = str(GPU)

import torch

device = torch.device(f"cuda:{GPU}" if torch.cuda.is_available() else "cpu")  # expect: visible-devices
torch.ones(2).to(device)
