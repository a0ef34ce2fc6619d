# Two of four GPUs are visible, and become cuda:0 and cuda:1.
# runs
import os

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"

import torch

assert torch.cuda.device_count() == 2
assert torch.ones(1, device="cuda:1").get_device() == 1
