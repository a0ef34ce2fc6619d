# A loss module builds the one-hot target where the logits are.
import torch
from torch import nn
import torch.nn.functional as F


class LabelSmoothingLoss(nn.Module):
    def __init__(self, classes, smoothing=0.1):
        super().__init__()
        self.classes = classes
        self.smoothing = smoothing

    def forward(self, pred, target):
        log_probs = F.log_softmax(pred, dim=-1)
        smooth = torch.full((pred.size(0), self.classes), self.smoothing / (self.classes - 1)).to(pred)
        return torch.mean(torch.sum(-smooth * log_probs, dim=-1))


use_cuda = torch.cuda.is_available()
net = nn.Linear(6, 5)
criterion = LabelSmoothingLoss(5)
inputs, targets = torch.randn(4, 6), torch.randint(5, (4,))
if use_cuda:
    net.cuda()
    criterion = criterion.cuda()
    inputs, targets = inputs.cuda(), targets.cuda()
criterion(net(inputs), targets).backward()
