# Predictions come to the CPU first.
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device).eval()
predictions = []
with torch.no_grad():
    for _ in range(2):
        inputs = torch.randn(5, 4).to(device)
        _, predicted = torch.max(model(inputs), 1)
        predictions.append(predicted.cpu().numpy())
print(np.concatenate(predictions).shape)
