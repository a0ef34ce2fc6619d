# The rank among the processes of all nodes is used as the index of a device.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--node-rank", type=int, default=0)
parser.add_argument("--slot", type=int, default=0)
args = parser.parse_args()

per_node = torch.cuda.device_count()
rank = args.node_rank * per_node + args.slot
device = torch.device("cuda", rank)  # expect: invalid-device
torch.ones(2).to(device)
