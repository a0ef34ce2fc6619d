# The state is made, then moved into the void.
import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.cell = nn.GRUCell(size, size)

    def init_hidden(self, batch):
        return torch.zeros(batch, self.size)

    def forward(self, x, hidden):
        return self.cell(x, hidden)


device = torch.device("cuda:0")
rnn = CharRNN(5).to(device)
hidden = rnn.init_hidden(2)
hidden.to(device)  # expect: discarded-transfer
for x in torch.randn(3, 2, 5).to(device):
    hidden = rnn(x, hidden)  # expect: device-mismatch
