# The rank within the node is the index.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--node-rank", type=int, default=0)
parser.add_argument("--slot", type=int, default=0)
args = parser.parse_args()

per_node = torch.cuda.device_count()
rank = args.node_rank * per_node + args.slot
torch.ones(2).to(torch.device("cuda", args.slot))
torch.ones(2).to(torch.device("cuda", rank % per_node))
