# torch: 2.1
"""A network that takes over the tensors of a checkpoint is where they are; one that copies them is not."""

import torch
from torch import nn


class Encoder(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, x):
        return self.body(x)


def main():
    trained = Encoder().to("cuda:0")
    taken = Encoder()
    taken.load_state_dict(trained.state_dict(), assign=True)
    print(taken(torch.ones(3, 4, device="cuda:0")))
    assert taken.body.weight.device == torch.device("cuda:0")
    copied = Encoder()
    copied.load_state_dict(trained.state_dict(), assign=False)
    print(copied(torch.ones(3, 4)))


if __name__ == "__main__":
    main()
