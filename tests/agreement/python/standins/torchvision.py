"""Small networks under the names of torchvision's, for machines that do not have it."""

import types

from torch import nn


class _Network(nn.Module):

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*(nn.Conv2d(3, 3, 3, padding=1) for _ in range(9)))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(3, 3)

    def forward(self, images):
        return self.classifier(self.avgpool(self.features(images)).flatten(1))


class _ResidualNetwork(nn.Module):

    def __init__(self, *_, num_classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 3, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(3)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(2)
        for index in range(1, 5):
            self.add_module(f"layer{index}", nn.Conv2d(3, 3, 3, padding=1))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(3, num_classes)

    def forward(self, images):
        for layer in list(self.children())[:-1]:
            images = layer(images)
        return self.fc(images.flatten(1))


_resnet = types.SimpleNamespace(BasicBlock=None, ResNet=_ResidualNetwork)
models = types.SimpleNamespace(vgg11=_Network, resnet18=_ResidualNetwork, ResNet=_ResidualNetwork,
                               resnet=_resnet)
