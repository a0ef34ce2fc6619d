# The wrapped module is saved: its keys have the prefix that is asked for.
import torch
from torch import nn


class Pretraining(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 4)
        self.rotation = nn.Linear(4, 4)

    def forward(self, x):
        return self.rotation(self.backbone(x))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def load_backbone(net, path):
    source = torch.load(path, map_location="cpu")
    kept = {k: v for k, v in source.items() if k.startswith("backbone.")}
    net.load_state_dict(kept, strict=False)


pretraining = nn.DataParallel(Pretraining().cuda())
pretraining(torch.ones(2, 4).cuda())
torch.save(pretraining.module.state_dict(), "keys_left_good.pt")
net = Classifier()
load_backbone(net, "keys_left_good.pt")
net(torch.ones(2, 4))
