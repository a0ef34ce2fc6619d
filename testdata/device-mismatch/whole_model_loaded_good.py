# The model was saved as a whole, and is moved after it was loaded.
import torch
import torch.nn as nn


def restore(path):
    model = torch.load(path, map_location="cpu")
    model.eval()
    return model


torch.save(nn.Sequential(nn.Linear(3, 2), nn.ReLU()).cuda(), "whole.pt")
model = restore("whole.pt").cuda()
x = torch.rand(4, 3, device="cuda")
print(model(x))
