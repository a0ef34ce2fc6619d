# Each process selects the device with its rank among the processes of all nodes.
import argparse

import torch


def train(gpu, args):
    rank = args.nr * args.gpus + gpu
    torch.cuda.set_device(rank)  # expect: invalid-device
    torch.nn.Linear(4, 2).cuda()(torch.ones(2, 4).cuda())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nr", type=int, default=0)
    parser.add_argument("--gpus", type=int, default=torch.cuda.device_count())
    train(0, parser.parse_args())
