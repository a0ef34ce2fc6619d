# Features saved on the GPU come back to it, and meet those of the CPU.
import torch

if torch.cuda.is_available():
    torch.save(torch.randn(6, 4).cuda(), "features.pt")
features = torch.load("features.pt")  # expect: missing-map-location
query = torch.randn(1, 4)
scores = query @ features.t()
