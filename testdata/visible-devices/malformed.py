# A list in brackets is no list of devices.
import os

gpus = [0, 1]
os.environ["CUDA_VISIBLE_DEVICES"] = "[0, 1]"  # expect: visible-devices

import torch

torch.ones(1).cuda()
