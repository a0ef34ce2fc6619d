# A sequence regressor with its LSTM on the GPU is fed windows straight from a CPU loader.
# raises: RuntimeError: Input and parameter tensors are not at the same device, found input tensor at cpu and parameter tensor at cuda:0
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, size):
        self.series, self.size = series, size

    def __len__(self):
        return len(self.series) - self.size

    def __getitem__(self, i):
        return self.series[i:i + self.size].unsqueeze(-1), self.series[i + self.size]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(1, 12, batch_first=True)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        _, (h, _) = self.rnn(x)  # raises
        return self.out(h[-1]).squeeze(-1)


series = torch.sin(torch.linspace(0, 12, 80))
loader = DataLoader(Windows(series, 8), batch_size=16)
model = Forecaster().to("cuda:0")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for window, target in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(window), target.to("cuda:0"))
    loss.backward()
    optimizer.step()
