# The same, moved where the option says.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("-d", "--train-device", default="cuda:1")
args = parser.parse_args([])
net = torch.nn.Linear(4, 2).to(args.train_device)
batch = torch.rand(8, 4).to(args.train_device)
print(net(batch).shape)

chosen = argparse.ArgumentParser()
chosen.add_argument("--cuda", action="store_true")
chosen = chosen.parse_args(["--cuda"])
moved = torch.nn.Linear(2, 2).cuda()
batch = torch.rand(2, 2)
if chosen.cuda:
    batch = batch.cuda()
moved(batch)
