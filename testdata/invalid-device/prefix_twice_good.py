# The option is a number.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="0")
args = parser.parse_args()
device = torch.device(f"cuda:{args.device}")
torch.ones(2).to(device)
