import torch
from net import Net

PATH = "checkpoint.pt"

model = torch.nn.DataParallel(Net())
model.load_state_dict(torch.load(PATH, map_location="cpu")["model"])
print(model.module(torch.rand(2, 4)))
