# The table of devices names the one that the tensor was saved from.
import torch

x = torch.rand(3, device="cuda:1")
torch.save({"prototypes": x}, "prototypes.pt")
kept = torch.load("prototypes.pt", map_location={"cuda:1": "cpu"})
kept["prototypes"].numpy()
