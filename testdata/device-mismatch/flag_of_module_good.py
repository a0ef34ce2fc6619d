# A flag that a module sets once stays what it is, whatever is called later.
import torch
from torch import nn

use_cuda = torch.cuda.is_available()


def folded(x):
    return x if x.size(0) < 2 else folded(x[: x.size(0) // 2].cpu())


def train(model, moves):
    x = torch.rand(3, 4)
    if moves:
        x = x.cuda()
    print(model(x).sum().item())


def main():
    model = nn.Linear(4, 2).cuda()
    for epoch in range(20):
        train(model, use_cuda)
        print(folded(torch.rand(8)).item())


main()
