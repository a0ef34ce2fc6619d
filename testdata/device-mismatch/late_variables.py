# A function that is called behind the loop sees the last value of the loop's variable.
import torch
from torch import nn

members = []
for index in range(torch.cuda.device_count()):
    device = torch.device("cuda", index)
    net = nn.Linear(4, 4).to(device)
    members.append(lambda batch, net=net: net(batch.to(device)))  # expect: device-mismatch
for predict in members:
    predict(torch.rand(2, 4))
