# The table of devices does not name the one that the tensor was saved from.
import torch

x = torch.rand(3, device="cuda:1")
torch.save({"prototypes": x}, "prototypes.pt")
kept = torch.load("prototypes.pt", map_location={"cuda:0": "cpu"})
kept["prototypes"].numpy()  # expect: numpy-on-device
