# The option already says "cuda:".
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:0")
args = parser.parse_args()
device = torch.device(f"cuda:{args.device}")  # expect: invalid-device
torch.ones(2).to(device)
