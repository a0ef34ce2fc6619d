# The class weights of the loss are on the CPU, and the loss is not moved.
import torch
import torch.nn as nn


def class_weights(labels, classes):
    counts = torch.bincount(labels, minlength=classes).float()
    return counts.sum() / (counts + 1)


torch.manual_seed(0)
device = torch.device("cuda:0")
labels = torch.randint(0, 3, (16,))
features = torch.randn(16, 6)
model = nn.Linear(6, 3).to(device)
criterion = nn.CrossEntropyLoss(weight=class_weights(labels, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    logits = model(features.to(device))
    loss = criterion(logits, labels.to(device))  # expect: device-mismatch
    loss.backward()
    optimizer.step()
