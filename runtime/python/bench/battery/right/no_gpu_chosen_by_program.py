# The program hides the GPUs before it uses them, and runs on the CPU.
# runs
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
assert device == "cpu" and torch.cuda.device_count() == 0
torch.nn.Linear(4, 2).to(device)(torch.randn(2, 4, device=device)).sum().backward()
