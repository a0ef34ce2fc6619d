# The physical number of a GPU is used where two are visible.
# raises: RuntimeError: CUDA error: invalid device ordinal
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"

import torch

torch.ones(2).to("cuda:2")  # expect: visible-devices  # raises
