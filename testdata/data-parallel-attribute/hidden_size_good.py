# A plain attribute is read before the model is wrapped.
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
hidden_dim = encoder.hidden_dim
encoder = nn.parallel.DataParallel(encoder)
encoder = encoder.cuda()
head = nn.Linear(hidden_dim, 2).cuda()
head(encoder(torch.randn(4, 3).cuda()))
