# Device types are written in lower case.
import torch

DEVICE = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")
x = torch.randn(3).to("CUDA")  # expect: invalid-device
y = torch.ones(3).to(DEVICE)
