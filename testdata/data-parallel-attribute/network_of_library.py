# The last layer of torchvision's network is asked of the wrapper.
import torch
from torch import nn
from torchvision import models

model = nn.DataParallel(models.resnet18().cuda())
features = model.fc.in_features  # expect: data-parallel-attribute
