# A data set of tensors holds those that it was given: on the CPU.
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, random_split

inputs, targets = torch.rand(8, 4), torch.randint(0, 3, (8,))
dataset = TensorDataset(inputs, targets)
net = nn.Linear(4, 3).cuda()
errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


refused(lambda: net(dataset.tensors[0]))  # expect: device-mismatch
refused(lambda: net(dataset[0][0]))  # expect: device-mismatch
refused(lambda: net(dataset[:][0]))  # expect: device-mismatch
refused(lambda: net(dataset[:5][0]))  # expect: device-mismatch
for example, label in dataset:
    refused(lambda one=example: net(one))  # expect: device-mismatch
train, test = random_split(dataset, [6, 2])
refused(lambda: net(train[0][0]))  # expect: device-mismatch
assert len(errors) == 13, errors
counts = torch.bincount(dataset.tensors[1], minlength=3).float()
criterion = nn.CrossEntropyLoss(weight=counts.sum() / counts.clamp(min=1))
criterion(net(inputs.cuda()), targets.cuda())  # expect: device-mismatch
