# A setting that is written follows the option: where it is false, nothing was moved.
import argparse
import threading

import torch

settings = threading.local()
settings.on_gpu = True
parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
settings.on_gpu = args.cuda
x = torch.zeros(3)
if args.cuda:
    x = x.cuda()
if not settings.on_gpu:
    x.numpy()
