# The module that has the network is imported where it is needed.
import sys

import torch


def build(kind):
    if kind == "wide":
        import wide as networks
    else:
        import narrow as networks
    return networks.build()


def main():
    net = build(sys.argv[1] if len(sys.argv) > 1 else "narrow").cuda()
    batch = torch.rand(3, 4)
    print(net(batch.cuda()))


if __name__ == "__main__":
    main()
