# The visible GPUs are counted from 0.
import os

settings = {"gpus": ["1"]}
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(settings["gpus"])

import torch

device = torch.device("cuda:0")
print(torch.rand(3).to(device))
