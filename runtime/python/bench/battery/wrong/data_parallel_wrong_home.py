# DataParallel over [0, 1] around a model that lives on cuda:1
# raises: RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
import torch
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.body(x))


device = torch.device("cuda", torch.cuda.device_count() - 1)
model = nn.DataParallel(Classifier().to(device), device_ids=[0, 1])
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 16, device=device), torch.randint(0, 4, (12,), device=device)
loss = nn.functional.cross_entropy(model(x).to(device), y)  # raises
loss.backward()
opt.step()
