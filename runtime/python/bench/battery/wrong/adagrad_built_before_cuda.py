# Adagrad allocates its accumulators in the constructor, before the model is moved to the GPU.
# raises: RuntimeError: Tensors of the same index must be on the same device
# raises: RuntimeError: Expected all tensors to be on the same device
import argparse

import torch
import torch.nn as nn


class FactorisationMachine(nn.Module):
    """Second-order FM for implicit feedback."""

    def __init__(self, users, items, factors):
        super().__init__()
        self.user = nn.Embedding(users, factors)
        self.item = nn.Embedding(items, factors)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.05)

    def forward(self, user, item):
        dot = (self.user(user) * self.item(item)).sum(-1)
        return dot + self.user_bias(user).squeeze(-1) + self.item_bias(item).squeeze(-1)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--users", type=int, default=30)
    p.add_argument("--items", type=int, default=50)
    p.add_argument("--factors", type=int, default=8)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--device", default="cuda:0")
    return p.parse_args([])


OPTIMISERS = {
    "adagrad": lambda params, args: torch.optim.Adagrad(params, lr=args.lr),
    "sgd": lambda params, args: torch.optim.SGD(params, lr=args.lr),
}


def sample(args, n, generator):
    user = torch.randint(0, args.users, (n,), generator=generator)
    item = torch.randint(0, args.items, (n,), generator=generator)
    click = ((user + item) % 3 == 0).float()
    return user.to(args.device), item.to(args.device), click.to(args.device)


def train(model, optimiser, args):
    g = torch.Generator().manual_seed(5)
    criterion = nn.BCEWithLogitsLoss()
    for step in range(5):
        user, item, click = sample(args, 64, g)
        loss = criterion(model(user, item), click)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()  # raises
        print(step, loss.item())


def main():
    args = parse()
    torch.manual_seed(0)
    model = FactorisationMachine(args.users, args.items, args.factors)
    optimiser = OPTIMISERS["adagrad"](model.parameters(), args)
    model.to(args.device)
    train(model, optimiser, args)


main()
