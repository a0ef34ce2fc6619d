# The initial state of the LSTM is made where its input is.
import torch
from torch import nn

device = torch.device("cuda:0")


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, num_layers, num_classes):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers, batch_first=True)
        self.fc = nn.Linear(hidden_size, num_classes)

    def forward(self, x):
        h0 = torch.zeros(self.num_layers, x.size(0), self.hidden_size, device=x.device)
        c0 = torch.zeros(self.num_layers, x.size(0), self.hidden_size).to(x.device)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1, :])


model = RNN(4, 8, 2, 3).to(device)
criterion = nn.CrossEntropyLoss()
images, labels = torch.randn(2, 5, 4).to(device), torch.randint(3, (2,)).to(device)
criterion(model(images), labels).backward()
