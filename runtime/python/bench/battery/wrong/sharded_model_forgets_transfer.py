# the second half of a model is on cuda:1, its input is not brought over
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cuda:1
import torch
import torch.nn as nn


class Sharded(nn.Module):
    def __init__(self):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(10, 64), nn.ReLU()).to("cuda:0")
        self.top = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)).to("cuda:1")

    def forward(self, x):
        h = self.bottom(x.to("cuda:0"))
        return self.top(h)  # raises


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)

    def fit(self, x, y):
        self.opt.zero_grad()
        out = self.model(x)  # raises
        loss = nn.functional.cross_entropy(out, y.to(out.device))
        loss.backward()
        self.opt.step()
        return loss.item()


trainer = Trainer(Sharded())
print(trainer.fit(torch.randn(6, 10), torch.randint(0, 3, (6,))))  # raises
