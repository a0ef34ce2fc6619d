# There is no device type "gpu".
import torch

device = torch.device("gpu" if torch.cuda.is_available() else "cpu")  # expect: invalid-device
net = torch.nn.Linear(4, 3).to(device)
net(torch.randn(2, 4).to(device))
