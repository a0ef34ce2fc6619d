# The wrapped module brings its own scores to the CPU, which DataParallel cannot gather.
# raises: AssertionError: Gather function not implemented for CPU tensors
import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 20), nn.GELU(), nn.Linear(20, 1))

    def forward(self, x):
        score = torch.sigmoid(self.body(x)).squeeze(1)
        return score.cpu()


def rank(scorer, items, k=3):
    scorer.eval()
    with torch.no_grad():
        scores = scorer(items)  # raises
    return scores.topk(k).indices.tolist()


scorer = nn.DataParallel(Scorer(6).cuda())
items = torch.randn(16, 6).cuda()
print(rank(scorer, items))
