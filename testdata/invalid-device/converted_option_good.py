# What an option is when nobody gives it, a function makes of its default.
import argparse

import torch


def device_of(text):
    if text == "auto":
        return torch.device("cuda", torch.cuda.device_count() - 1)
    return torch.device(text)


parser = argparse.ArgumentParser()
parser.add_argument("--device", type=device_of, default="auto")
args = parser.parse_args([])
print(torch.zeros(2, device=args.device).to(args.device).sum())
