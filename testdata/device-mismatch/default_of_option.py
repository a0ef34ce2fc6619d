# The device that an option names when nobody gives it.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("-d", "--train-device", default="cuda:1")
args = parser.parse_args([])
net = torch.nn.Linear(4, 2).to(args.train_device)
batch = torch.rand(8, 4).cuda()
print(net(batch).shape)  # expect: device-mismatch
