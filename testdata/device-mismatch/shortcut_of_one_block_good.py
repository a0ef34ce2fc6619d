import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument('--cuda', action='store_false', help='use CUDA (default: True)')
parser.add_argument('--clip', type=float, default=-1)
parser.add_argument('--widen', action='store_true')
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--log-interval', type=int, default=100)
args = parser.parse_args()


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.shortcut = nn.Linear(inputs, outputs) if inputs != outputs else None

    def forward(self, x):
        return self.linear(x) + (x if self.shortcut is None else self.shortcut(x))


train_loader = DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 4)), batch_size=2)
model = Block(4, 4 * (1 + args.widen))
if args.cuda:
    model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    total = 0
    for batch_idx, (data, target) in enumerate(train_loader):
        if args.cuda:
            data, target = data.cuda(), target.cuda()
        optimizer.zero_grad()
        loss = model(data).sum() + target.sum()
        loss.backward()
        if args.clip > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss
        if batch_idx > 0 and batch_idx % args.log_interval == 0:
            print(total.item() / args.log_interval)
            total = 0


for epoch in range(1, args.epochs + 1):
    train()
    if epoch % 10 == 0:
        print(epoch)
