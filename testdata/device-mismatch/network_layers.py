"""Layers taken out of a library's network stay where the network is."""
import torch
import torchvision
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        network = torchvision.models.resnet18()
        self.layers = nn.Sequential(*list(network.children())[:-2])
        for layer in list(self.layers.children())[5:]:
            for parameter in layer.parameters():
                parameter.requires_grad = False

    def forward(self, images):
        return self.layers(images)


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        features = torchvision.models.vgg11().features
        self.first = nn.Sequential()
        for index in range(4):
            self.first.add_module(str(index), features[index])
        self.rest = features[4:9]

    def forward(self, images):
        return self.rest(self.first(images))


images = torch.ones(1, 3, 64, 64)
moved = Encoder().cuda()
moved(images.cuda())
features = Features().cuda()
features(images.cuda())
encoder = Encoder()
encoder(images)
encoder(images.cuda())  # expect: device-mismatch
