# The result is written into a tensor that is on the CPU.
import torch

scores = torch.rand(4, device="cuda")
best = torch.empty(())
torch.mul(scores[0], scores[1], out=best)  # expect: device-mismatch
