import torch
from net import Net

PATH = "checkpoint.pt"

model = Net()
model.load_state_dict(torch.load(PATH, map_location="cpu")["model"])  # expect: state-dict-prefix
print(model(torch.rand(2, 4)))
