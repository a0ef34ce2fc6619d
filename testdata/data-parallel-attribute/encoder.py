# A method of the inner model is called on the wrapper.
import torch
import torch.nn as nn


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 3)
        self.decoder = nn.Linear(3, 8)

    def encode(self, x):
        return torch.relu(self.encoder(x))

    def forward(self, x):
        return self.decoder(self.encode(x))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = AutoEncoder().to(device)
model = nn.DataParallel(model)
x = torch.randn(4, 8).to(device)
loss = nn.functional.mse_loss(model(x), x)
loss.backward()
codes = model.encode(x)  # expect: data-parallel-attribute
