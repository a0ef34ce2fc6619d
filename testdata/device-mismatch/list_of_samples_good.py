# A batch that its collate function leaves a list has no keys.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return {'x': torch.zeros(2, 4)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, batch):
        return self.layer(batch['x'])


net = Net().cuda()
for samples in DataLoader(Samples(), batch_size=2, collate_fn=lambda items: items):
    try:
        net(samples)
    except TypeError:
        net({name: value.cuda() for name, value in samples[0].items()})
