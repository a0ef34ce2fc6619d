# A moved parameter is no parameter: the module does not know the result.
import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.gamma = nn.Parameter(torch.ones(features)).to("cuda")  # expect: non-leaf-parameter

    def forward(self, x):
        return self.linear(x) * self.gamma


model = Scale(4)
model.to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(2, 4).to("cuda")).sum().backward()
optimizer.step()
torch.save(model.state_dict(), "scale.pt")
