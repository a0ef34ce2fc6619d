# Each replica moves what it keeps anew: nothing is lost with it.
import torch
import torch.nn as nn


class Anchors(nn.Module):
    def __init__(self):
        super().__init__()
        self.anchors = torch.rand(4, 4)

    def forward(self, features):
        self.anchors = self.anchors.type_as(features)
        return self.anchors.sum() + features.sum(1)


model = nn.DataParallel(Anchors()).cuda()
print(model(torch.rand(8, 4).cuda()).shape)
