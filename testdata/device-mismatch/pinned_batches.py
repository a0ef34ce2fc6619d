# What the data set holds is not known; the loader pins its batches, so they are on the CPU.
import torch
import torch.nn as nn
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import ConcatDataset, TensorDataset


def examples():
    return TensorDataset(torch.rand(8, 4), torch.randint(0, 2, (8,)))


dataset = ConcatDataset([examples(), examples()])
loader = DataLoader(dataset, batch_size=4, shuffle=True, pin_memory=True)
model = nn.Linear(4, 2).cuda()
for images, labels in loader:
    outputs = model(images.cuda())
    loss = nn.functional.cross_entropy(outputs, labels.long())  # expect: device-mismatch
