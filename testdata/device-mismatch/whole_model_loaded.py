# The model was saved as a whole, and comes back on the CPU.
import torch
import torch.nn as nn


def restore(path):
    model = torch.load(path, map_location="cpu")
    model.eval()
    return model


torch.save(nn.Sequential(nn.Linear(3, 2), nn.ReLU()).cuda(), "whole.pt")
model = restore("whole.pt")
x = torch.rand(4, 3, device="cuda")
print(model(x))  # expect: device-mismatch
