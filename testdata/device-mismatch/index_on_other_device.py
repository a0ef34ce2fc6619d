# A tensor on the CPU takes no indices on a GPU; the other way round is fine.
import torch

features = torch.zeros(8, 4)
scores = torch.arange(8.0).cuda()
best = scores.topk(3).indices
scores[torch.tensor([0, 1])] = 0
chosen = features[best]  # expect: device-mismatch
