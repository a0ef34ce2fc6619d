# The numbers are joined by commas.
import os

gpus = [0, 1]
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(str(gpu) for gpu in gpus)

import torch

torch.ones(1).cuda()
