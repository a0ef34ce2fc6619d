# The result is written into a tensor of the same device.
import torch

scores = torch.rand(4, device="cuda")
best = torch.empty((), device=scores.device)
torch.mul(scores[0], scores[1], out=best)
total = best + scores
