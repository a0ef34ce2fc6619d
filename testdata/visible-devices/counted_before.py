# torch: 2.1
# torch.cuda.device_count() asks NVML: the list that is set afterwards has one device.
import os

import torch

print(torch.cuda.device_count())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print(torch.ones(2, device="cuda:1"))  # expect: visible-devices
