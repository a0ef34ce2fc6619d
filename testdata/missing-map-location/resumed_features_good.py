# Features are mapped to where they are used.
import torch

if torch.cuda.is_available():
    torch.save(torch.randn(6, 4).cuda(), "features.pt")
features = torch.load("features.pt", map_location="cpu")
query = torch.randn(1, 4)
scores = query @ features.t()
