# The only visible device is number 0.
import os
import sys

GPU = int(sys.argv[1]) if len(sys.argv) > 1 else 1
os.environ["CUDA_VISIBLE_DEVICES"] = str(GPU)

import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
if GPU == 0:
    device = torch.device(f"cuda:{GPU}")
torch.ones(2).to(device)
