# Only the features are moved, the classifier is not.
import torch
from torch import nn


class AlexNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
        self.classifier = nn.Linear(4, 5)

    def forward(self, x):
        return self.classifier(self.features(x).mean(dim=(2, 3)))  # expect: device-mismatch


net = AlexNet()
net.features.cuda()
net = nn.DataParallel(net, device_ids=[0, 1])
net(torch.randn(4, 3, 5, 5).cuda())  # expect: data-parallel-placement
