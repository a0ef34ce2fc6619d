"""The head is replaced before the network is moved, moves by itself, or has no state."""
import torch
from torch import nn
from torchvision import models

device = torch.device("cuda", 1)
images = torch.rand(2, 3, 96, 96, device=device)

before = models.resnet18()
before.fc = nn.Linear(before.fc.in_features, 2)
before.to(device)
before(images)

alone = models.resnet18().to(device)
alone.fc = nn.Linear(alone.fc.in_features, 2).to(device)
alone(images)

features = models.resnet18().to(device)
features.fc = nn.Identity()
features(images)
