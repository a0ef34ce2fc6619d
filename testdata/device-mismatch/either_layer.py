# Which of two layers it is is not known; both are on the CPU.
import torch
import torch.nn as nn

rates = [x.item() for x in torch.linspace(0, 0.1, 4)]
head = nn.Linear(8, 2) if rates[1] > 0.0 else nn.Sequential(nn.Linear(8, 2), nn.ReLU())
images = torch.rand(2, 8).cuda()
head(images)  # expect: device-mismatch
