"""The network was moved before its head was replaced: the new one is on the CPU."""
import torch
from torch import nn
from torchvision import models


def build(device):
    net = models.resnet18()
    for parameter in net.parameters():
        parameter.requires_grad = False
    return net.to(device)


def replace_head(net, classes):
    net.fc = nn.Sequential(nn.Dropout(0.3), nn.Linear(net.fc.in_features, classes))
    return net


device = torch.device("cuda", 1)
net = replace_head(build(device), 2)
images = torch.rand(2, 3, 96, 96, device=device)
print(net(images).shape)  # expect: device-mismatch
