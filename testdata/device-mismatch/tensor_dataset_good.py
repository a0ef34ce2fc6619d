# What is taken of a data set is moved, or was moved before.
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, random_split

inputs, targets = torch.rand(8, 4), torch.randint(0, 3, (8,))
dataset = TensorDataset(inputs, targets)
net = nn.Linear(4, 3).cuda()
net(dataset.tensors[0].cuda())
moved = TensorDataset(inputs.cuda(), targets)
net(moved.tensors[0])
net(moved[:5][0])
net(moved[0][0])
for example, label in moved:
    net(example)
train, test = random_split(moved, [6, 2])
net(train[0][0])
counts = torch.bincount(dataset.tensors[1], minlength=3).float()
criterion = nn.CrossEntropyLoss(weight=(counts.sum() / counts.clamp(min=1)).cuda())
criterion(net(inputs.cuda()), targets.cuda())
