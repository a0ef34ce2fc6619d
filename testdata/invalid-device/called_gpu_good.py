# The type of a GPU is "cuda".
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(4, 3).to(device)
net(torch.randn(2, 4).to(device))
