# The option is applied first.
import argparse
import os

import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=str, default="1")
    args = parser.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 2).cuda()
    model(torch.randn(2, 4).cuda())


if __name__ == "__main__":
    main()
