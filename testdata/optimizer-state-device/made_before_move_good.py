# Other optimizers make their state at the first step, where the parameters are then.
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
optimizers = [torch.optim.Adam(model.parameters(), lr=0.01)]
adam = torch.optim.AdamW(model.parameters(), lr=0.01)
momentum = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
model.cuda()
adagrad = torch.optim.Adagrad(model.parameters(), lr=0.01)
model(torch.randn(4, 8).cuda()).sum().backward()
adam.step()
momentum.step()
adagrad.step()
optimizers[0].step()
plain = torch.optim.SGD(model.parameters(), lr=0.01)
plain.load_state_dict(torch.optim.SGD(model.parameters(), lr=0.01).state_dict())
plain.step()
