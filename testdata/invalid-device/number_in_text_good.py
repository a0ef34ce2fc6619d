# The number of a GPU follows its type.
import torch

gpu = "0"
net = torch.nn.Linear(2, 2)
net.to("cuda:" + gpu)
