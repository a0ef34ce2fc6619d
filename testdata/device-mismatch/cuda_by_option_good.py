# An option and what PyTorch can do decide together, once and for all.
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--batches", type=int, default=2)
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

model = nn.Linear(4, 2)
if args.cuda:
    torch.cuda.manual_seed(1)
    model.cuda()


def train():
    for _ in range(args.batches):
        inputs, labels = torch.rand(8, 4), torch.randint(0, 2, (8,))
        if args.cuda:
            inputs = inputs.cuda()
        outputs = model(inputs)
        if args.cuda:
            loss = nn.functional.cross_entropy(outputs, labels.cuda())
            loss.backward()


train()
