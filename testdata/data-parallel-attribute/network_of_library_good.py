# The last layer of torchvision's network is asked of the wrapped module.
import torch
from torch import nn
from torchvision import models

model = nn.DataParallel(models.resnet18().cuda())
features = model.module.fc.in_features
