"""type() of a module moves it where the type is one of tensors on the GPU."""
import torch
from torch import nn

dtype = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
net = nn.Linear(3, 2).type(dtype)
net(torch.rand(4, 3).type(dtype))
halves = nn.Linear(3, 2).to("cuda").type(torch.float64)
halves(torch.rand(4, 3, device="cuda", dtype=torch.float64))
