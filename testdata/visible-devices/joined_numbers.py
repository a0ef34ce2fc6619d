# The numbers of the GPUs are joined into the list, and used as numbers of the visible ones, too.
import os

settings = {"gpus": ["1"]}
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(settings["gpus"])

import torch

device = torch.device(f"cuda:{settings['gpus'][0]}")  # expect: visible-devices
print(torch.rand(3).to(device))
