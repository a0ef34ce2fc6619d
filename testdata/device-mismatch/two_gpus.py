# The second stage is on another GPU, and the activations stay on the first.
import torch
import torch.nn as nn


class Pipeline(nn.Module):
    def __init__(self, dev0, dev1):
        super().__init__()
        self.dev0, self.dev1 = dev0, dev1
        self.stage1 = nn.Linear(10, 10).to(dev0)
        self.relu = nn.ReLU()
        self.stage2 = nn.Linear(10, 5).to(dev1)

    def forward(self, x):
        x = self.relu(self.stage1(x.to(self.dev0)))
        return self.stage2(x)  # expect: device-mismatch


model = Pipeline("cuda:0", "cuda:1")
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
optimizer.zero_grad()
outputs = model(torch.randn(20, 10))
labels = torch.randn(20, 5).to("cuda:1")
loss_fn(outputs, labels).backward()
optimizer.step()
