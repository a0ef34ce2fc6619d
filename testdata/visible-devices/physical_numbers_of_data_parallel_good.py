# Two GPUs are visible as 0 and 1.
import os

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"

import torch
import torch.nn as nn

model = nn.DataParallel(nn.Linear(4, 2), device_ids=[0, 1])
model.cuda()
model(torch.randn(4, 4))
