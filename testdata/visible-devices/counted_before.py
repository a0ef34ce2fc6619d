# torch.cuda.device_count() asks NVML: the list that is set afterwards has one device.
import os

import torch

if torch.cuda.device_count() > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
    print(torch.ones(2, device="cuda:1"))  # expect: visible-devices
