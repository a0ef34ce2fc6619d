# What the data set holds is not known; a wrapper moves what it is given.
import torch
import torch.nn as nn
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import ConcatDataset, TensorDataset


def examples():
    return TensorDataset(torch.rand(8, 4), torch.randint(0, 2, (8,)))


dataset = ConcatDataset([examples(), examples()])
model = nn.DataParallel(nn.Linear(4, 2)).cuda()
for images, labels in DataLoader(dataset, batch_size=4, pin_memory=True, num_workers=2):
    outputs = model(images)
    loss = nn.functional.cross_entropy(outputs, labels.cuda(non_blocking=True))
for batch in DataLoader(dataset, batch_size=4, pin_memory=True):
    batch = [each.cuda() for each in batch]
    outputs = model.module(batch[0])
    print((outputs.argmax(1) == batch[1]).sum())
