# An evaluation loop turns GPU predictions into numpy arrays for its accuracy.
# raises: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
import numpy as np
import torch
from torch import nn


def macro_accuracy(predicted, truth, classes):
    scores = []
    for c in range(classes):
        mask = truth == c
        if mask.any():
            scores.append((predicted[mask] == c).mean())
    return float(np.mean(scores))


def evaluate(model, batches, device):
    predicted, truth = [], []
    model.eval()
    with torch.no_grad():
        for x, y in batches:
            predicted.append(model(x.to(device)).argmax(dim=1).numpy())  # raises
            truth.append(y.numpy())
    return macro_accuracy(np.concatenate(predicted), np.concatenate(truth), 3)


device = torch.device("cuda:0")
model = nn.Linear(5, 3).to(device)
batches = [(torch.randn(10, 5), torch.randint(0, 3, (10,))) for _ in range(4)]
print(evaluate(model, batches, device))
