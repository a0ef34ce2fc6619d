# One program saves what another one of the same folder loads.
import torch
import torch.nn as nn
from net import Net


def save(model, path="checkpoint.pt"):
    torch.save({"model": model.state_dict(), "step": 10}, path)


if __name__ == "__main__":
    model = nn.DataParallel(Net().cuda())
    print(model(torch.rand(8, 4).cuda()))
    save(model)
