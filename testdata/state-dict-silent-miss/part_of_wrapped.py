# The encoder of a wrapped model is to be taken over: none of its names is found.
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)
        self.head = nn.Linear(2, 3)


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)
        self.decoder = nn.Linear(2, 4)


torch.save(nn.DataParallel(AutoEncoder().cuda()).state_dict(), "pretrained.pt")
Classifier().load_state_dict(torch.load("pretrained.pt"), strict=False)  # expect: state-dict-silent-miss
