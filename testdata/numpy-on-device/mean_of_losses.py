# A list of losses on the GPU is averaged by numpy.
import numpy as np
import torch
from torch import nn

model = nn.Linear(4, 1).cuda()
losses = []
for step in range(3):
    loss = model(torch.rand(2, 4).cuda()).mean()
    losses.append(loss.detach())
print(np.mean(losses))  # expect: numpy-on-device
