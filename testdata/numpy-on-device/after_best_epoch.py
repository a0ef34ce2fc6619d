# Which epoch is the best is up to the data: what comes after the loop is reached anyway.
import numpy as np
import torch
import torch.nn as nn


def train_epoch(model, optimizer, x, y):
    total = 0
    for part, target in zip(x.split(4), y.split(4)):
        loss = nn.functional.mse_loss(model(part), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(x)


def predict(model, x):
    outputs = []
    with torch.no_grad():
        for part in x.split(4):
            outputs.append(model(part).sigmoid().numpy())  # expect: numpy-on-device
    return np.concatenate(outputs)


def run(x, y, epochs=3, patience=1):
    model = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best, waited = np.inf, 0
    for epoch in range(epochs):
        loss = train_epoch(model, optimizer, x, y)
        if loss < best:
            best = loss
        else:
            waited += 1
            if waited >= patience:
                break
    return predict(model, x)


print(run(torch.randn(8, 4).cuda(), torch.randn(8, 1).cuda()))
