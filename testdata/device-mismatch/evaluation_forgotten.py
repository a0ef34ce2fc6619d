# Training moves its batches, evaluation forgets to.
import argparse

import torch
import torch.nn as nn


def batches(n):
    for _ in range(n):
        yield torch.randn(4, 6), torch.randint(3, (4,))


def train(model, criterion, optimizer, args):
    model.train()
    for inputs, targets in batches(2):
        if args.gpu is not None:
            inputs = inputs.cuda(args.gpu, non_blocking=True)
            targets = targets.cuda(args.gpu, non_blocking=True)
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, criterion, args):
    model.eval()
    correct = 0
    with torch.no_grad():
        for inputs, targets in batches(2):
            output = model(inputs)  # expect: device-mismatch
            correct += (output.argmax(1) == targets).sum().item()  # expect: device-mismatch
    return correct


def main():
    parser = argparse.ArgumentParser(description="training")
    parser.add_argument("--gpu", default=0, type=int)
    parser.add_argument("--epochs", default=1, type=int)
    args = parser.parse_args()
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
    if args.gpu is not None:
        torch.cuda.set_device(args.gpu)
        model = model.cuda(args.gpu)
    criterion = nn.CrossEntropyLoss().cuda(args.gpu)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for _ in range(args.epochs):
        train(model, criterion, optimizer, args)
        validate(model, criterion, args)


if __name__ == "__main__":
    main()
