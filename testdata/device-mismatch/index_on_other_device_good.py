# As index_on_other_device.py, with the indices where the tensor is.
import torch

features = torch.zeros(8, 4)
scores = torch.arange(8.0).cuda()
best = scores.topk(3).indices
scores[torch.tensor([0, 1])] = 0
chosen = features[best.cpu()]
kept = features.cuda()[best]
