# Everything is moved if CUDA is used, the soft target is forgotten.
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true", default=False, help="disables CUDA training")
parser.add_argument("--temperature", type=float, default=2.0)
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

student = nn.Linear(6, 3)
teacher = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
inputs, soft = torch.randn(4, 6), F.softmax(teacher(torch.randn(4, 6)).detach() / args.temperature, dim=1)
if args.cuda:
    student.cuda()
    inputs = inputs.cuda()
inputs = Variable(inputs)
logits = F.log_softmax(student(inputs) / args.temperature, dim=1)
loss = F.kl_div(logits, soft, reduction="batchmean")  # expect: device-mismatch
loss.backward()
