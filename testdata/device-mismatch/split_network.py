"""A library's network, its layers on two GPUs: each part moves on its own."""
import torch
import torchvision
from torch import nn


class Split(torchvision.models.ResNet):
    def __init__(self, **options):
        block = torchvision.models.resnet.BasicBlock
        super().__init__(block, [1, 1, 1, 1], **options)
        self.first = nn.Sequential(self.conv1, self.bn1, self.relu, self.maxpool, self.layer1).to("cuda:0")
        self.second = nn.Sequential(self.layer2, self.layer3, self.layer4, self.avgpool).to("cuda:1")
        self.fc.to("cuda:1")

    def forward(self, images):
        features = self.second(self.first(images).to("cuda:1"))
        return self.fc(features.flatten(1))


class Whole(torchvision.models.ResNet):
    def __init__(self):
        super().__init__(torchvision.models.resnet.BasicBlock, [1, 1, 1, 1], num_classes=7)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.network = torchvision.models.resnet18()

    def forward(self, images):
        features = self.network.relu(self.network.bn1(self.network.conv1(images)))
        return self.network.layer1(self.network.maxpool(features))


images = torch.ones(1, 3, 64, 64)
Split(num_classes=5)(images.cuda())
Whole().cuda()(images.cuda())
encoder = Encoder().cuda()
features = encoder(images.cuda())
encoder.network.relu(images)
Encoder()(images)
encoder.network.layer1.to("cuda:1")
encoder.network.layer1(features.to("cuda:1"))
whole = Whole()
whole(images)
whole(images.cuda())  # expect: device-mismatch
