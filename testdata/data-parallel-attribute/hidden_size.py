# A plain attribute of the inner model is read from the wrapper.
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, hidden_dim):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.fc = nn.Linear(3, hidden_dim)

    def forward(self, x):
        return self.fc(x)


encoder = Encoder(4)
encoder = nn.parallel.DataParallel(encoder)
encoder = encoder.cuda()
head = nn.Linear(encoder.hidden_dim, 2).cuda()  # expect: data-parallel-attribute
head(encoder(torch.randn(4, 3).cuda()))
