# setdefault() takes one text with commas.
import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2", "3")  # expect: visible-devices

import torch

torch.ones(2).cuda()
