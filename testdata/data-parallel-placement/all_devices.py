# The devices are all that there are, and the model is on the second.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--main-device", default="cuda:1")
args = parser.parse_args()
device = torch.device(args.main_device)
model = nn.Linear(4, 2).to(device)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model, device_ids=list(range(torch.cuda.device_count())))
outputs = model(torch.randn(8, 4).to(device))  # expect: data-parallel-placement
